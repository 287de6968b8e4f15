"""Headless Chromium and a local server for the tests in this folder."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.support.browsing import Component, Server, Watched


@pytest.fixture
def server():
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture(scope="session")
def chromium():
    """Headless Chromium that asks nobody for anything."""
    from playwright.sync_api import sync_playwright

    path = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if path is None:
        pytest.fail(
            "these tests need Chromium: apt-get install chromium, or say where it is with CHROMIUM="
        )
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    arguments += [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def browse(chromium, server):
    """Opens pages; afterwards none may have complained or asked another host, unless the test
    emptied the lists itself."""
    opened = []

    def open_page(url: str | None = None, **options: object) -> Watched:
        context = chromium.new_context(**{"viewport": {"width": 1000, "height": 700}, **options})
        context.set_default_timeout(30000)
        page = context.new_page()
        watched = Watched(page, [], [])
        page.on(
            "console",
            lambda message: (
                watched.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )
        page.on("pageerror", lambda error: watched.complaints.append(str(error)))

        def route(way):
            if way.request.url.startswith((server.url + "/", "data:")):
                way.continue_()
            else:
                watched.foreign.append(way.request.url)
                way.abort()

        context.route("**/*", route)
        opened.append((context, watched))
        if url is not None:
            page.goto(url)
        return watched

    yield open_page
    for context, _ in opened:
        context.close()
    for _, watched in opened:
        assert watched.complaints == []
        assert watched.foreign == []


@pytest.fixture(params=["pith-badge.js", "pith-badge.min.js"])
def component(request, server, browse):
    """The component, as written and as shipped."""
    return Component(server, browse, request.param)


@pytest.fixture
def shipped(server, browse):
    """The component as shipped, for tests of what the minifier can't change."""
    return Component(server, browse, "pith-badge.min.js")
