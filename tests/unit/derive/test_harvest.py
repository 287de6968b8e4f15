"""OAI-PMH over the network, against a local server that behaves as arXiv's does."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from pybadge.arxiv import ArxivId
from pybadge.derive import Metadata, derive
from pybadge.derive.select import ArxivServer, Selection, select
from pybadge.derive.sources.arxiv import PAUSE, fetch_metadata, harvest
from pybadge.derive.sources.oai import MAX_XML_BYTES
from pybadge.errors import MetadataError, NotFoundError, UnreachableError
from pybadge.resolve.http import Transport
from tests.support.arxiv_papers import BY_ID, DATA, REAL, REAL_NUMBER, oai_answer, raw_element
from tests.support.command import HANG, heed_ctrl_c, program
from tests.support.http_server import missing
from tests.support.oai_server import OaiServer, oai_error

NAMES = ["2402.15627", "1005.1684", "hep-lat/0608005", "0809.2938", "hep-th/9312120"]


@pytest.fixture
def server() -> Iterator[OaiServer]:
    with OaiServer({name: BY_ID[name] for name in NAMES}) as running:
        yield running


def transport(timeout: float = 10) -> Transport:
    return Transport(timeout=timeout, max_bytes=MAX_XML_BYTES)


def test_one_paper_is_fetched_by_its_id(server: OaiServer) -> None:
    paper = fetch_metadata(transport(), "2402.15627", base=server.base)
    assert derive(paper).number.text == REAL_NUMBER
    assert server.queries == [
        {
            "verb": "GetRecord",
            "identifier": "oai:arXiv.org:2402.15627",
            "metadataPrefix": "arXivRaw",
        }
    ]
    assert (
        fetch_metadata(transport(), "hep-lat/0608005", base=server.base).source_id
        == "hep-lat/0608005"
    )


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits that were asked for, in seconds; none is made."""
    found: list[float] = []
    monkeypatch.setattr("time.sleep", found.append)
    return found


def test_busy_is_waited_for(server: OaiServer, waits: list[float]) -> None:
    server.busy, server.retry_after = 2, "1"
    assert fetch_metadata(transport(), "2402.15627", base=server.base).source_id == "2402.15627"
    assert waits == [1.0, 1.0]
    assert len(server.queries) == 3


@pytest.mark.parametrize("retry_after", ["0", None, "rubbish", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_busy_in_each_form_is_waited_for(retry_after: str | None, server: OaiServer) -> None:
    server.busy, server.retry_after = 1, retry_after
    assert fetch_metadata(transport(), "2402.15627", base=server.base).source_id == "2402.15627"


@pytest.mark.parametrize("retry_after", ["86400", "30"])
def test_too_long_a_wait_is_given_up(
    retry_after: str, server: OaiServer, waits: list[float]
) -> None:
    server.busy, server.retry_after = 9, retry_after
    with pytest.raises(UnreachableError, match="503") as caught:
        fetch_metadata(transport(5), "2402.15627", base=server.base)
    assert caught.value.exit_code == 3
    assert waits == []
    assert len(server.queries) == 1


def test_an_unknown_paper_is_not_found(server: OaiServer) -> None:
    with pytest.raises(NotFoundError, match="idDoesNotExist") as caught:
        fetch_metadata(transport(), "2402.99999", base=server.base)
    assert caught.value.exit_code == 3


def test_another_paper_than_asked_for_is_refused(server: OaiServer) -> None:
    server.replace = oai_answer(raw_element(BY_ID["1005.1684"]))
    with pytest.raises(MetadataError, match=r"asked for 2402\.15627, answered with '1005\.1684'"):
        fetch_metadata(transport(), "2402.15627", base=server.base)


def test_answers_that_are_no_oai_are_refused(server: OaiServer) -> None:
    server.replace = b"<html><body>Please come back later</body></html>"
    with pytest.raises(MetadataError, match="neither an OAI-PMH answer"):
        fetch_metadata(transport(), "2402.15627", base=server.base)
    server.content_type = "text/html"
    with pytest.raises(UnreachableError, match="other than xml"):
        fetch_metadata(transport(), "2402.15627", base=server.base)


def test_too_large_an_answer_is_refused(server: OaiServer) -> None:
    server.replace = oai_answer(raw_element(REAL)) + b" " * 100_000
    with pytest.raises(UnreachableError, match="more than 50000 bytes"):
        fetch_metadata(Transport(timeout=10, max_bytes=50_000), "2402.15627", base=server.base)


def test_a_list_is_followed_through_its_pages(server: OaiServer) -> None:
    found = list(
        harvest(
            transport(),
            base=server.base,
            first="2024-01-01",
            last="2024-12-31",
            subset="cs",
            pause=0,
        )
    )
    assert [item.source_id for item in found if isinstance(item, Metadata)] == NAMES
    first, *others = server.queries
    assert first == {
        "verb": "ListRecords",
        "from": "2024-01-01",
        "until": "2024-12-31",
        "set": "cs",
        "metadataPrefix": "arXivRaw",
    }
    # The token is an exclusive argument.
    assert others == [{"verb": "ListRecords", "resumptionToken": token} for token in ("2", "4")]


def test_requests_keep_their_distance(server: OaiServer, waits: list[float]) -> None:
    assert len(list(harvest(transport(), base=server.base))) == len(NAMES)
    assert len(server.queries) == 3
    assert waits == [PAUSE, PAUSE]
    assert PAUSE >= 3  # https://info.arxiv.org/help/api/tou.html


def test_a_harvest_that_breaks_off_says_how_to_go_on(server: OaiServer) -> None:
    seen: list[object] = []
    pages = harvest(transport(3), base=server.base, pause=0)
    with pytest.raises(UnreachableError, match="to go on from here: --token 2"):  # noqa: PT012  the loop is the point
        for item in pages:
            seen.append(item)
            server.busy, server.retry_after = 9, "60"
    assert len(seen) == 2
    server.busy = 0
    rest = list(harvest(transport(), base=server.base, token="2", pause=0))
    assert len(rest) == len(NAMES) - 2


def test_a_token_without_end_is_noticed(server: OaiServer) -> None:
    server.loop = True
    with pytest.raises(MetadataError, match="token comes again"):
        list(harvest(transport(), base=server.base, pause=0))


HTML = b"<!DOCTYPE html><html><body>Please come back later</body></html>"
WHOLE = oai_answer(raw_element(REAL), verb="ListRecords", token="9")
BAD_PAGES = {
    "empty": b"",
    "html": HTML,
    "xhtml": b"<html><body/></html>",
    "truncated": WHOLE[: len(WHOLE) // 2],
    "without records": oai_answer(verb="ListRecords"),
    "expired": oai_error("badResumptionToken"),
    "compressed": b"\x1f\x8b\x08\x00rubbish",
    "unfinished": b"<OAI-PMH a='" + b"A" * (1 << 18),
}


@pytest.mark.parametrize("page", BAD_PAGES)
def test_a_page_that_cannot_be_used_is_asked_for_again(
    page: str, server: OaiServer, waits: list[float]
) -> None:
    server.bad = {2: BAD_PAGES[page], 3: BAD_PAGES[page]}
    found = list(harvest(transport(), base=server.base))
    assert [item.source_id for item in found if isinstance(item, Metadata)] == NAMES
    assert len(found) == len(NAMES)
    # The distance to the page before, two growing waits, the distance to the last page.
    assert waits == [PAUSE, 2 * PAUSE, 4 * PAUSE, PAUSE]


@pytest.mark.parametrize("page", BAD_PAGES)
def test_a_page_that_stays_bad_leaves_its_token(
    page: str, server: OaiServer, waits: list[float]
) -> None:
    server.bad = dict.fromkeys(range(2, 9), BAD_PAGES[page])
    found: list[object] = []
    with pytest.raises(MetadataError) as caught:
        found.extend(harvest(transport(), base=server.base))
    assert len(found) == 2
    assert str(caught.value).endswith("(tried 4 times); to go on from here: --token 2")
    assert "\n" not in str(caught.value)
    assert waits == [PAUSE, 2 * PAUSE, 4 * PAUSE, 8 * PAUSE]
    assert len(server.queries) == 5


def test_a_page_that_is_called_html_is_asked_for_again(
    server: OaiServer, waits: list[float]
) -> None:
    server.content_type = "text/html"
    with pytest.raises(UnreachableError, match=r"\(tried 4 times\); to go on .* --token 2"):
        list(harvest(transport(), base=server.base, token="2"))
    assert len(server.queries) == 4


def test_a_first_page_that_stays_bad_has_no_token(server: OaiServer, waits: list[float]) -> None:
    server.replace = HTML
    with pytest.raises(MetadataError) as caught:
        list(harvest(transport(), base=server.base))
    assert str(caught.value).endswith("(tried 4 times)")


def test_a_token_that_a_shell_would_read_is_quoted(server: OaiServer, waits: list[float]) -> None:
    token = "a b'c|d&e=$(f)"
    with pytest.raises(MetadataError, match="badResumptionToken") as caught:
        list(harvest(transport(), base=server.base, token=token))
    assert shlex.split(str(caught.value).rpartition("--token ")[2]) == [token]


def test_a_page_that_is_gone_leaves_its_token(server: OaiServer) -> None:
    server.routes["*"] = missing
    with pytest.raises(NotFoundError, match="--token 2"):
        list(harvest(transport(), base=server.base, token="2", pause=0))


def test_each_page_is_told_before_it_is_asked_for(server: OaiServer) -> None:
    told: list[tuple[str | None, int]] = []

    def reached(token: str | None) -> None:
        told.append((token, len(server.queries)))

    list(harvest(transport(), base=server.base, pause=0, reached=reached))
    assert told == [(None, 0), ("2", 1), ("4", 2)]


def test_errors_of_the_protocol_stand_in_the_list(server: OaiServer) -> None:
    (nothing,) = harvest(transport(), base=server.base, first="2026-02-01", pause=0)
    assert isinstance(nothing, NotFoundError)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pybadge", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_command_asks_for_ids(server: OaiServer) -> None:
    done = command("derive", "arXiv:2402.15627v1", "--oai", server.base)
    assert (done.returncode, done.stdout) == (0, f"{REAL_NUMBER}  2402.15627v1\n")
    unknown = command(
        "derive", "2402.99999", "2402.15627", "--oai", server.base, "--keep-going", "--json"
    )
    assert unknown.returncode == 3
    error, paper = (json.loads(line) for line in unknown.stdout.splitlines())
    assert error["error"]["code"] == "oai.idDoesNotExist"
    assert paper["number"] == REAL_NUMBER


def test_the_command_harvests(server: OaiServer) -> None:
    server.records = {name: BY_ID[name] for name in NAMES[:2]}
    done = command("derive", "--harvest", "--from", "2024-01-01", "--oai", server.base, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["number"] == REAL_NUMBER


def test_the_command_keeps_what_it_has_and_says_how_to_go_on(server: OaiServer) -> None:
    """At a fault of one paper, at Ctrl-C; that of a page is seen above, without its waits."""
    header = '<header status="deleted"><identifier>oai:arXiv.org:1</identifier></header>'
    deleted = f"<record>{header}</record>"
    server.bad = {2: oai_answer(deleted, verb="ListRecords", token="4")}
    done = command("derive", "--harvest", "--oai", server.base)
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2
    first, second = done.stderr.splitlines()[-2:]
    assert "deleted at arXiv" in first
    assert second == "pybadge: stopped; to go on from here: --token 2 --keep-going"


def test_ctrl_c_leaves_the_token(server: OaiServer) -> None:
    server.bad = {2: b""}  # it waits before it asks again
    process = subprocess.Popen(
        program("derive", "--harvest", "--oai", server.base),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    while len(server.queries) < 2:
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert len(out.splitlines()) == 2
    assert err.splitlines()[-1] == "pybadge: stopped; to go on from here: --token 2"


def test_papers_are_asked_for_at_a_distance(server: OaiServer, waits: list[float]) -> None:
    papers = tuple(ArxivId(name) for name in NAMES[:3])
    chosen = Selection(papers, server=ArxivServer(server.base))
    assert len(list(select(chosen))) == 3
    assert waits == [PAUSE, PAUSE]


def test_offline_asks_nobody(server: OaiServer) -> None:
    done = command("derive", "2402.15627", "--offline", "--oai", server.base)
    assert done.returncode == 3
    assert server.queries == []


def test_verify_asks_arxiv_for_the_paper(server: OaiServer) -> None:
    record = str(DATA / "record-XR2UHLWN.json")
    done = command("verify", record, "--source", "arxiv", "--oai", server.base, "--json")
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["source_check"]["status"] == "valid"
    server.records = {}
    gone = command("verify", record, "--source", "arxiv", "--oai", server.base)
    assert gone.returncode == 3
    assert "idDoesNotExist" in gone.stdout
