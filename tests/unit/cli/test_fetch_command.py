"""``pybadge fetch``: the very bytes, and nothing that is invalid."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tests.support.asking import PATH
from tests.support.command import pybadge
from tests.support.data import NUMBER, RECORD, RECORD_BYTES, SUFFIX
from tests.support.documents import bundle, signed, to_bytes
from tests.support.http_server import Server, answer

CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")


def test_fetch_prints_or_saves_the_very_bytes(tmp_path: Path) -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        base = ["fetch", SUFFIX, "--resolver", server.url, "--cache", "off"]
        assert pybadge(*base).stdout == RECORD_BYTES
        target = tmp_path / "saved.json"
        assert pybadge(*base, "-o", str(target)).returncode == 0
        assert target.read_bytes() == RECORD_BYTES
        assert pybadge(*base, "-o", str(tmp_path / "no" / "saved.json")).returncode == 2
        locked = ["--lock", str(tmp_path / "l.json")]
        assert pybadge(*base, "-o", str(target), *locked).returncode == 2
        server.routes[PATH] = answer(CHANGED)
        assert pybadge(*base, "-o", str(target)).returncode == 1
        assert target.read_bytes() == RECORD_BYTES


def test_an_invalid_record_is_kept_out(tmp_path: Path) -> None:
    target, bad = tmp_path / "saved.json", tmp_path / "bad.json"
    bad.write_bytes(CHANGED)
    done = pybadge("fetch", str(bad), "-o", str(target))
    assert done.returncode == 1
    assert b"not saved" in done.stderr
    assert sorted(tmp_path.iterdir()) == [bad]


def test_what_nobody_vouches_for_is_saved_with_a_word_of_it(tmp_path: Path) -> None:
    made, _ = signed()
    target = tmp_path / "saved.json"
    done = pybadge("fetch", "-", "-o", str(target), stdin=to_bytes(made))
    assert done.returncode == 3
    assert b"not checked" in done.stderr
    assert target.read_bytes() == to_bytes(made)


def test_a_saved_record_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    assert pybadge("fetch", str(RECORD), "-o", str(tmp_path / "record.json")).returncode == 0
    umask = os.umask(0o022)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "record.json").stat().st_mode) == 0o666 & ~umask


def test_a_bundle_is_fetched_by_number_and_by_arxiv_id(tmp_path: Path) -> None:
    routes = {
        f"/pith/{SUFFIX}/bundle.json": answer(to_bytes(bundle())),
        PATH: answer(RECORD_BYTES),
        "*": answer(to_bytes({"pith_number": NUMBER})),
    }
    with Server(routes) as server:
        base = ["--resolver", server.url, "--cache", str(tmp_path)]
        assert pybadge("fetch", SUFFIX, *base).stdout == RECORD_BYTES
        for what in (SUFFIX, "2402.15627"):
            done = pybadge("fetch", what, "--bundle", *base)
            assert (done.returncode, done.stdout) == (0, to_bytes(bundle())), done.stderr
        offline = ["--offline", "--cache", str(tmp_path)]
        assert pybadge("fetch", SUFFIX, "--bundle", *offline).stdout == to_bytes(bundle())
        assert pybadge("fetch", SUFFIX, *offline).stdout == RECORD_BYTES


def test_several_are_saved_into_a_folder_under_their_numbers(tmp_path: Path) -> None:
    folder, listed = tmp_path / "records", tmp_path / "list.txt"
    folder.mkdir()
    bad = tmp_path / "bad.json"
    bad.write_bytes(CHANGED)
    assert pybadge("fetch", str(RECORD), str(bad), "-o", str(folder)).returncode == 1
    saved = folder / f"{SUFFIX}.json"
    assert list(folder.iterdir()) == [saved]
    assert saved.read_bytes() == RECORD_BYTES
    saved.unlink()
    listed.write_text(f"{RECORD}\n")
    assert pybadge("fetch", "--batch", str(listed), "-o", str(folder)).returncode == 0
    assert saved.read_bytes() == RECORD_BYTES


def test_a_bundles_address_that_serves_a_record_saves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "bundle.json"
    with Server({"*": answer(RECORD_BYTES)}) as server:
        base = ["--resolver", server.url, "--cache", "off", "-o", str(target)]
        done = pybadge("fetch", SUFFIX, "--bundle", *base)
    assert done.returncode in (1, 2, 3)
    assert b"not saved" in done.stderr
    assert not target.exists()
