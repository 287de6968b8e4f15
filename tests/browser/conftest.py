"""Headless Chromium and a local server for the tests in this folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import sync_playwright

from tests.support.browsing import Component, PageServer, Watched


@pytest.fixture
def server():
    with PageServer() as running:
        yield running


NO_BROWSER = pytest.StashKey[bool]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip what needs the browser once a test has failed because it does not start."""
    if NO_BROWSER in item.config.stash and "chromium" in item.fixturenames:
        pytest.skip("the browser does not start; the test that failed says why")


def fail_once(config, shared_folder: Path, reason: str) -> NoReturn:
    """Fail the first test that finds no browser, of all pytest-xdist's workers, and skip the
    others, which would only say the same again."""
    config.stash[NO_BROWSER] = True
    try:
        (shared_folder / "no-browser").touch(exist_ok=False)
    except FileExistsError:
        pytest.skip("the browser does not start; the test that failed says why")
    pytest.fail(reason, pytrace=False)


def why_not(error: Exception) -> str:
    """Why the browser does not start: what Playwright says, and what its driver says by itself,
    since an exception of Playwright's does not tell why its driver ended."""
    driver = subprocess.run(
        [sys.executable, "-m", "playwright", "--version"], capture_output=True, text=True
    )
    said = driver.stderr.strip() if driver.returncode else ""
    return f"the browser does not start: {error}\n{said}".rstrip()


@pytest.fixture(scope="session")
def chromium(request, tmp_path_factory):
    """Headless Chromium that asks nobody for anything."""
    shared_folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        shared_folder = shared_folder.parent
    path = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if path is None:
        reason = "no Chromium: apt-get install chromium, or say where it is with CHROMIUM="
        fail_once(request.config, shared_folder, reason)
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    arguments += [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    reason = ""
    with ExitStack() as stack:
        try:
            playwright = stack.enter_context(sync_playwright())
            browser = playwright.chromium.launch(
                executable_path=path, headless=True, args=arguments
            )
        except Exception as error:
            reason = why_not(error)
        if reason:  # outside of the handler, so that the reason is not printed twice
            fail_once(request.config, shared_folder, reason)
        yield browser
        browser.close()


@pytest.fixture
def browse(chromium, server):
    """Opens pages; afterwards none may have complained or asked another host, unless the test
    emptied the lists itself."""
    opened = []

    def open_page(url: str | None = None, **options: object) -> Watched:
        context = chromium.new_context(**{"viewport": {"width": 1000, "height": 700}, **options})
        context.set_default_timeout(60_000)
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
