"""Sending one POST to a webhook, over real sockets."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.leagues.outbox import web_post
from scorekeeper.leagues.outbox.outcome import SENT, State, failed, retry, unknown
from scorekeeper.leagues.outbox.targets import Target, read_target
from scorekeeper.leagues.outbox.web_post import post

if TYPE_CHECKING:
    from tests.leagues.outbox.receivers import Receiver


def target(receiver: Receiver) -> Target:
    return read_target(receiver.address, {receiver.host})


def test_body_arrives_once(receiver: Receiver) -> None:
    assert post(target(receiver), b"{}", {"Content-Type": "application/json"}) == SENT
    ((path, headers, body),) = receiver.got
    assert (path, body) == ("/hooks/s3cret-t0ken", b"{}")
    assert headers["host"] == receiver.host


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, SENT),
        (301, failed("redirect", 301)),
        (307, failed("redirect", 307)),
        (400, failed("refused", 400)),
        (404, failed("refused", 404)),
        (429, retry("busy", 429)),
        (500, retry("busy", 500)),
        (502, unknown("no_answer", 502)),
        (503, retry("busy", 503)),
        (504, unknown("no_answer", 504)),
    ],
)
def test_status_decides(receiver: Receiver, status: int, outcome: object) -> None:
    """The status of the response decides the outcome of the message, and a redirect isn't followed."""
    receiver.status, receiver.headers = status, {"Location": receiver.address}
    assert post(target(receiver), b"{}", {}) == outcome
    assert len(receiver.got) == 1


@pytest.mark.parametrize(("header", "wait"), [("120", 120), ("soon", 0), ("-5", 0), ("9" * 50, 0), ("²", 0)])
def test_server_may_ask_to_wait(receiver: Receiver, header: str, wait: int) -> None:
    receiver.status, receiver.headers = 429, {"Retry-After": header.encode().decode("latin-1")}
    assert post(target(receiver), b"{}", {}) == retry("busy", 429, wait)


def test_answer_that_never_ends_is_cut_off(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A response that arrives one byte at a time is cut off after a time limit, even if each byte arrives quickly."""
    monkeypatch.setattr(web_post, "DEADLINE_SECONDS", 0.3)

    def dribble(handler: Any) -> None:
        try:
            for _ in range(100):
                handler.wfile.write(b"H")
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass

    receiver.act = dribble
    began = time.monotonic()
    assert post(target(receiver), b"{}", {}) == unknown("no_answer")
    assert time.monotonic() - began < 3


def test_large_answer_is_not_read_whole(receiver: Receiver) -> None:
    receiver.status, receiver.body = 200, b"x" * 5_000_000

    def pour(handler: Any) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(1000):
                handler.wfile.write(b"x" * 65536)
        except OSError:
            stopped.append(True)

    stopped: list[bool] = []
    receiver.act = pour
    assert post(target(receiver), b"{}", {}) == SENT
    until = time.monotonic() + 5
    while not stopped and time.monotonic() < until:
        time.sleep(0.01)
    assert stopped


def test_lost_answer_is_unknown(receiver: Receiver) -> None:
    receiver.act = lambda handler: handler.connection.shutdown(socket.SHUT_RDWR)
    assert post(target(receiver), b"{}", {}) == unknown("no_answer")


def test_closed_port_is_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert post(read_target(f"http://127.0.0.1:{port}/", {f"127.0.0.1:{port}"}), b"{}", {}) == retry("unreachable")


def test_proxy_of_the_environment_is_ignored(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert post(target(receiver), b"{}", {}) == SENT


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], ["10.0.0.1"], ["::1"], ["8.8.8.8", "192.168.0.1"], ["::ffff:10.0.0.1"], ["fe80::1%lo"]]
)
def test_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch, found: list[str]) -> None:
    """If any address of a webhook's host is private, nothing is sent and no connection is made."""

    def resolved(_host: str, port: int, **_more: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("connected"))
    assert post(read_target("https://hook.example.org/"), b"{}", {}) == failed("private")


def test_connection_goes_to_the_checked_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of a webhook's host is looked up only once, so nothing is sent to an address that wasn't checked."""
    answers = iter((["93.184.215.14"], ["127.0.0.1"]))
    reached: list[object] = []

    def resolved(_host: str, port: int, **_more: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(answers)]

    def connected(address: object, _timeout: object) -> Any:
        reached.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    monkeypatch.setattr(socket, "create_connection", connected)
    assert post(read_target("https://hook.example.org/"), b"{}", {}) == retry("unreachable")
    assert reached == [("93.184.215.14", 443)]
    assert next(answers) == ["127.0.0.1"]


def test_unknown_host_is_tried_again() -> None:
    assert post(read_target("https://nothing.invalid/"), b"{}", {}).state is State.WAITING
