"""Settings: flag over environment over configuration file, and no other file decides anything."""

from __future__ import annotations

from pathlib import Path

import pytest

import pybadge as package
from tests.support.command import environment, pybadge
from tests.support.data import RECORD, RECORD_BYTES, SUFFIX
from tests.support.documents import key_json, signed, to_bytes
from tests.support.http_server import Server, answer

CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")


def test_flag_beats_environment_beats_file(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    honest, lying = Server({"*": answer(RECORD_BYTES)}), Server({"*": answer(CHANGED)})
    with honest as server, lying as liar:
        config.write_text(f'resolver = "{liar.url}"\ncache = "off"\n')
        env = environment(PYBADGE_CONFIG=str(config))
        assert pybadge("verify", SUFFIX, env=env).returncode == 1
        env["PYBADGE_RESOLVER"] = server.url
        assert pybadge("verify", SUFFIX, env=env).returncode == 0
        assert pybadge("verify", SUFFIX, "--resolver", liar.url, env=env).returncode == 1
        env["PYBADGE_OFFLINE"] = "1"
        assert pybadge("verify", SUFFIX, env=env).returncode == 3
        env["PYBADGE_OFFLINE"] = "0"
        assert pybadge("verify", SUFFIX, env=env).returncode == 0


def test_a_config_file_may_hold_every_setting(tmp_path: Path) -> None:
    made, key = signed()
    (tmp_path / "own.json").write_text(key_json(key))
    folder = tmp_path / "config" / "pybadge"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(
        f'trust-key = "{tmp_path}/own.json"\noffline = true\ntimeout = 5\n'
        'mirror = ["https://m.example"]\nallow-host = []\n'
    )
    env = environment(XDG_CONFIG_HOME=str(tmp_path / "config"))
    assert pybadge("verify", "-", stdin=to_bytes(made), env=env).returncode == 0
    assert pybadge("verify", SUFFIX, env=env).returncode == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("trustkey = 'x'", "invalid choice: 'trustkey'"),
        ("ofline = true", "did you mean offline?"),
        ("offline = 'yes'", "true or false"),
        ("trust-key = 7", "list of strings"),
        ("resolver = []", "a string"),
        ("x = ", "not TOML"),
        ("\udcff", "not TOML"),
    ],
)
def test_a_wrong_config_file_is_an_error_not_a_guess(
    tmp_path: Path, text: str, reason: str
) -> None:
    config = tmp_path / "config.toml"
    config.write_bytes(text.encode("utf-8", "surrogateescape"))
    done = pybadge("verify", str(RECORD), env=environment(PYBADGE_CONFIG=str(config)))
    assert done.returncode == 2
    assert reason in done.stderr.decode()


def test_a_config_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    missing = pybadge("keys", env=environment(PYBADGE_CONFIG=str(tmp_path / "none.toml")))
    assert missing.returncode == 2
    assert b"PYBADGE_CONFIG" in missing.stderr
    assert pybadge("keys", env=environment(XDG_CONFIG_HOME=str(tmp_path))).returncode == 0
    assert pybadge("keys", env=environment(PYBADGE_CONFIG="")).returncode == 0


def test_no_file_in_the_current_folder_decides_whom_to_trust(tmp_path: Path) -> None:
    made, key = signed()
    (tmp_path / "own.json").write_text(key_json(key))
    for name in ("config.toml", "pybadge.toml", ".pybadge.toml"):
        (tmp_path / name).write_text('trust-key = "own.json"\n')
    (tmp_path / "pyproject.toml").write_text('[tool.pybadge]\ntrust-key = "own.json"\n')
    done = pybadge("verify", "-", "--offline", stdin=to_bytes(made), cwd=tmp_path)
    assert done.returncode == 3


def test_variables_of_other_names_decide_nothing_about_trust() -> None:
    made, _ = signed()
    env = environment(PITH_KEY="x", PYBADGE_KEYS="y")
    assert pybadge("verify", "-", stdin=to_bytes(made), env=env).returncode == 3
    assert package.verify(made).verdict == "not_checked"


def test_a_nonsense_switch_in_the_environment_is_an_error() -> None:
    done = pybadge("keys", env=environment(PYBADGE_OFFLINE="maybe"))
    assert done.returncode == 2
    assert b"PYBADGE_OFFLINE" in done.stderr
