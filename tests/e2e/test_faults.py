"""A small fault lab: closed descriptors, full disks, too few files, no home, hostile configuration,
killed batches, devices and links. One line, the right exit code, nothing left behind."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.batches import SMALL, line
from tests.support.command import HANG, environment, program, pybadge
from tests.support.data import RECORD, RECORD_BYTES

NOBODY = 64999
"""A user that no machine has a name or a home for."""
FSIZE = 4096


def shell(command: str, redirection: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``pybadge COMMAND`` with a redirection of the shell's."""
    return subprocess.run(
        ["sh", "-c", f"{shlex.quote(sys.executable)} -m pybadge {command} {redirection}"],
        capture_output=True,
        check=False,
        timeout=HANG,
        env=environment(**changes),
    )


def limited(
    prepare: Callable[[], object], *arguments: str, **changes: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command after a preparation in its own process."""
    return subprocess.run(
        program(*arguments),
        capture_output=True,
        check=False,
        timeout=HANG,
        env=environment(**changes),
        preexec_fn=prepare,
    )


def assert_one_line(said: bytes) -> None:
    assert said.count(b"\n") == 1, said
    assert b"Traceback" not in said


# --- descriptors


def test_closed_stdin_is_no_record() -> None:
    done = shell("verify -", "<&-")
    assert done.returncode == 2
    assert b"INVALID" not in done.stdout
    assert b"Traceback" not in done.stderr
    assert shell(f"verify {RECORD} --offline", "<&-").returncode == 0
    batch = shell("verify --batch - --offline", "<&-")
    assert batch.returncode in (0, 2)
    assert b"Traceback" not in batch.stderr


@pytest.mark.parametrize(
    "command",
    [
        f"verify {RECORD} --offline",
        f"show {RECORD}",
        "keys",
        f"badge {RECORD}",
        "--version",
        "--help",
        "verify --help",
    ],
)
def test_closed_stdout_is_one_line(command: str) -> None:
    done = shell(command, ">&-")
    assert done.returncode == 2
    assert_one_line(done.stderr)


def test_closed_stderr_changes_no_exit_code(tmp_path: Path) -> None:
    assert shell(f"verify {RECORD} --offline", "2>&-").returncode == 0
    assert shell("verify nofile.json", "2>&-").returncode == 2
    assert shell("nonsense", "2>&-").returncode == 2
    listed = tmp_path / "list.txt"
    listed.write_text(f"{RECORD}\n")
    assert shell(f"verify --batch {listed} --offline", "2>&-").returncode == 0


def test_a_file_does_not_take_the_place_of_a_closed_descriptor(tmp_path: Path) -> None:
    target = tmp_path / "badge.svg"
    done = shell(f"badge {RECORD} -o {target}", "<&- >&- 2>&-")
    assert done.returncode in (0, 2)
    if target.exists():
        assert target.read_bytes().startswith(b"<svg")


# --- disks


@pytest.mark.parametrize(
    "arguments",
    [["verify", "--batch", "-"], ["show", str(RECORD)], ["badge", str(RECORD)]],
    ids=lambda arguments: arguments[0],
)
def test_a_full_stdout_is_one_line_that_says_so(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            program(*arguments, "--offline"),
            input=f"{RECORD}\n".encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=HANG,
            env=environment(),
        )
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def small_files() -> None:
    """Let no file grow: as a full disk, EFBIG in place of ENOSPC."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FSIZE, FSIZE))


def test_a_full_disk_leaves_the_old_file_and_no_new_one(tmp_path: Path) -> None:
    assert len(RECORD_BYTES) > FSIZE
    target = tmp_path / "saved.json"
    target.write_bytes(b"old\n")
    done = limited(small_files, "fetch", str(RECORD), "-o", str(target))
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert target.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_stops_a_batch_that_can_go_on_later(tmp_path: Path) -> None:
    listed, out = tmp_path / "list.jsonl", tmp_path / "out.jsonl"
    listed.write_bytes(line(SMALL) * 20)
    there = ["verify", "--batch", str(listed), "--offline", "--jobs", "1", "-o", str(out)]
    full = limited(small_files, *there)
    assert full.returncode == 2
    assert b"Traceback" not in full.stderr
    assert b"can't be written" in full.stderr
    assert out.stat().st_size <= FSIZE
    assert pybadge(*there, "--resume").returncode != 2
    assert out.read_bytes().count(b"\n") == 20


def test_too_few_files_is_no_verdict() -> None:
    """Python itself needs some to start, so their number is cut down after that."""

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    assert limited(few, "verify", str(RECORD), "--offline").returncode == 0
    for limit in (3, 4, 5, 6, 8):
        for loaded in ("", "import pybadge.cli.program, pybadge.cli.verify; "):
            code = (
                f"import resource, sys; from pybadge.cli import main; {loaded}"
                f"resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit})); "
                "sys.exit(main(sys.argv[1:]))"
            )
            assert_no_verdict_when_starved(code)


def assert_no_verdict_when_starved(code: str) -> None:
    """Run a program that soon can open nothing."""
    starved = subprocess.run(
        [sys.executable, "-c", code, "verify", str(RECORD), "--offline"],
        capture_output=True,
        check=False,
        timeout=HANG,
        env=environment(),
    )
    assert starved.returncode in (0, 2, 70), starved.stderr
    assert b"INVALID" not in starved.stdout
    assert b"Traceback" not in starved.stderr


def test_a_full_disk_swallows_not_even_the_version() -> None:
    done = shell("--version", ">/dev/full")
    assert done.returncode == 2
    assert done.stderr == b"pybadge: standard output: can't be written: No space left on device\n"


# --- homes and configuration


HOMELESS = """
import os, sys
from pybadge.cli import main
# The first run loads what the user may not be allowed to read.
first = main(sys.argv[1:])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
sys.exit(first or main(sys.argv[1:]))
"""


def test_a_user_without_name_and_home_can_verify(tmp_path: Path) -> None:
    """As in a container that was started with a number for a user."""
    env = environment()
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME"):
        env.pop(name, None)
    record = tmp_path / "record.json"
    record.write_bytes(RECORD_BYTES)
    with open(record, "rb") as stream:
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                HOMELESS.replace("NOBODY", str(NOBODY)),
                "verify",
                f"/dev/fd/{stream.fileno()}",
                "XR2UHLWNHHFSD4ZJJXWRU6R6QP",
                "--offline",
                "--json",
            ],
            capture_output=True,
            check=False,
            timeout=HANG,
            env=env,
            pass_fds=[stream.fileno()],
        )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 3, done.stderr
    assert done.stderr == b""


def test_no_configuration_of_the_current_folder_is_read(tmp_path: Path) -> None:
    for folder in ("conf/pybadge", ".config/pybadge", "~/.config/pybadge", "pybadge"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "config.toml").write_text("nonsense = 1\n")
    for changes in ({"XDG_CONFIG_HOME": "conf"}, {"XDG_CONFIG_HOME": "."}, {"XDG_CONFIG_HOME": ""}):
        env = environment(HOME=str(tmp_path / "nohome"), **changes)
        assert pybadge("keys", cwd=tmp_path, env=env).returncode == 0
    env = environment(XDG_CONFIG_HOME="", HOME="")
    assert pybadge("keys", cwd=tmp_path, env=env).returncode == 0
    named = environment(PYBADGE_CONFIG="conf/pybadge/config.toml")
    done = pybadge("keys", cwd=tmp_path, env=named)
    assert done.returncode == 2
    assert b"must be an absolute path" in done.stderr


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"resolver = 'a\x00b'\n", b"config.toml"),
        (b'cache = "a\\u0000b"\n', b"config.toml"),
        (b"x = " + b"[" * 20_000 + b"]" * 20_000 + b"\n", b"config.toml"),
        (b"x = " + b"{a=" * 8_000 + b"1" + b"}" * 8_000 + b"\n", b"config.toml"),
        (b"timeout = " + b"9" * 5_000 + b"\n", b""),
        (b"#" * (1 << 17), b"larger than 65536 bytes"),
        (b"\xff\xfe", b"not TOML"),
    ],
    ids=["nul", "escaped nul", "deep list", "deep table", "huge number", "large", "UTF-16"],
)
def test_a_hostile_configuration_is_one_line(tmp_path: Path, data: bytes, words: bytes) -> None:
    config = tmp_path / "config.toml"
    config.write_bytes(data)
    done = pybadge("verify", str(RECORD), env=environment(PYBADGE_CONFIG=str(config)))
    assert (done.returncode, done.stdout) == (2, b""), done.stderr[-300:]
    assert_one_line(done.stderr)
    assert words in done.stderr


def test_a_configuration_that_others_can_write_is_refused(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("offline = true\n")
    env = environment(PYBADGE_CONFIG=str(config))
    config.chmod(0o646)
    done = pybadge("keys", env=env)
    assert done.returncode == 2
    assert b"everybody can write to it" in done.stderr
    config.chmod(0o644)
    assert pybadge("keys", env=env).returncode == 0
    if os.geteuid() == 0:
        os.chown(config, NOBODY, -1)
        done = pybadge("keys", env=env)
        assert done.returncode == 2
        assert b"belongs to another user" in done.stderr


# --- killed batches


def children_of(session: int) -> list[int]:
    """The processes of a session that are no zombies."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_batch_leaves_no_worker(tmp_path: Path, sent: signal.Signals) -> None:
    listed, out = tmp_path / "list.jsonl", tmp_path / "out.jsonl"
    listed.write_bytes(line(SMALL) * 60_000)
    process = subprocess.Popen(
        program("verify", "--batch", str(listed), "-o", str(out), "--jobs", "2", "--offline"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + HANG
        while time.monotonic() < deadline and not (out.exists() and out.stat().st_size > 100_000):
            time.sleep(0.02)
        assert len(children_of(process.pid)) > 1, "there are workers"
        process.send_signal(sent)
        assert process.wait(HANG) != 0
        while time.monotonic() < deadline and children_of(process.pid):
            time.sleep(0.05)
        assert children_of(process.pid) == []
    finally:
        for left in children_of(process.pid):
            os.kill(left, signal.SIGKILL)
        process.wait(HANG)


def test_a_number_of_jobs_with_leading_zeros_starts_no_army(tmp_path: Path) -> None:
    done = pybadge("verify", "--batch", "-", "--jobs", "0010249999999")
    assert (done.returncode, done.stdout) == (2, b"")
    assert_one_line(done.stderr)


# --- devices and links


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a node, or could replace one")
@pytest.mark.parametrize("command", ["badge", "fetch", "batch"])
def test_a_device_stays_one(tmp_path: Path, command: str) -> None:
    node = tmp_path / "null.svg"
    try:
        os.mknod(node, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        with open(node, "wb") as stream:
            stream.write(b"x")
    except OSError:
        pytest.skip("this file system has no devices")
    listed = tmp_path / "list.txt"
    listed.write_text(f"{RECORD}\n")
    arguments = [command, str(RECORD)]
    if command == "batch":
        arguments = ["verify", "--batch", str(listed), "--jobs", "1"]
    done = pybadge(*arguments, "--offline", "-o", str(node))
    assert done.returncode == 0, done.stderr
    assert stat.S_ISCHR(node.stat().st_mode)
    assert sorted(tmp_path.iterdir()) == [listed, node]


@pytest.mark.parametrize("command", ["badge", "fetch"])
def test_a_link_is_followed_and_stays_one(tmp_path: Path, command: str) -> None:
    target, link = tmp_path / "real" / "file.svg", tmp_path / "link.svg"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link.symlink_to(Path("real") / "file.svg")
    assert pybadge(command, str(RECORD), "--offline", "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert target.read_bytes() not in (b"", b"old")
    assert list(target.parent.iterdir()) == [target]
