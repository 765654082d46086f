"""Addresses that strangers give are asked only where anybody may be asked."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, Final

import pytest
from kit.pushing import PushService, answer
from kit.sites import until

from volte.push.door import (
    LONGEST_ANSWER,
    LONGEST_ENDPOINT,
    LONGEST_WAIT,
    MOST_LOOKUPS,
    Address,
    DoorFault,
    Endpoint,
    PushAnswer,
    PushDoor,
    TooManyLookups,
    is_public,
)

PUBLIC: Final = "8.8.8.8"


class Names:
    """Name servers that say something else each time: the last of it from then on."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = [[ip_address(each) for each in answer] for answer in answers]
        self.asked = 0

    async def resolve(self, host: str, port: int) -> list[Address]:
        self.asked += 1
        return self._answers[min(self.asked, len(self._answers)) - 1]


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("https://push.example/", Endpoint("push.example", 443, "/")),
        (
            "https://a-1.push.example:443/s/~x?y=%20",
            Endpoint("a-1.push.example", 443, "/s/~x?y=%20"),
        ),
        ("https://xn--bcher-kva.example/a", Endpoint("xn--bcher-kva.example", 443, "/a")),
    ],
)
def test_an_address_of_a_push_service_is_read(text: str, endpoint: Endpoint) -> None:
    assert PushDoor().endpoint(text) == endpoint
    assert endpoint.origin == f"https://{endpoint.host}"


@pytest.mark.parametrize(
    "text",
    [
        *("", "push.example", "//push.example/", "http://push.example/", "wss://push.example/"),
        *("HTTPS://push.example/", "https://Push.example/", "https://push.example", "https:///a"),
        *("https://localhost/", "https://push/", "https://push.example./", "https://.example/"),
        *("https://push..example/", "https://-push.example/", "https://push-.example/"),
        *(
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://0177.0.0.1/",
        ),
        *("https://127.1/", "https://0x7f.1/", "https://push.1/", "https://push.0x7f/"),
        *("https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://127.0.0.1.:443/"),
        *("https://anne@push.example/", "https://anne:word@push.example/"),
        *("https://push.example\\@localhost/", "https://push.example#@localhost/"),
        *("https://push.example:80/", "https://push.example:0443x/", "https://push.example:8443/"),
        *("https://push.example:/", "https://push.example:99999/", "https://push.example:-1/"),
        *(
            "https://push.example/a#b",
            "https://push.example/a b",
            "https://push.example/\r\nHost: a",
        ),
        *("https://push.example/é", "https://püsh.example/", "https://push.example%2f@localhost/"),
        *(" https://push.example/", "https://push.example/\n", "https://push.example/\0"),
        *("https://" + "a." * 140 + "example/", f"https://push.example/{'a' * LONGEST_ENDPOINT}"),
    ],
)
def test_what_is_no_address_of_a_push_service_is_refused(text: str) -> None:
    with pytest.raises(DoorFault):
        PushDoor().endpoint(text)


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1"),
        *("127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8"),
        *("192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255"),
        *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1"),
        "255.255.255.255",
        *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8"),
        *("64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1"),
        *(
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:808:808::",
        ),
        *("3fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0"),
        *("fec0::1", "ff02::1", "ff0e::1"),
    ],
)
async def test_who_is_not_for_everybody_is_never_asked(
    push_service: PushService, address: str
) -> None:
    """Even where the name has an address besides that would do."""
    assert not is_public(ip_address(address))
    endpoint = Endpoint("localhost", int(push_service.place.rpartition(":")[2]), "/")
    for found in ([address], [address, PUBLIC], [PUBLIC, address]):
        door = PushDoor(resolve=Names(found).resolve, context=push_service.context)
        with pytest.raises(DoorFault):
            await door.post(endpoint, [], b"")
    assert push_service.connections == 0


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "198.20.0.1", "2606:4700::1", "2a00::1"])
def test_who_is_for_everybody_may_be_asked(address: str) -> None:
    assert is_public(ip_address(address))


async def test_a_name_of_this_machine_is_never_asked_by_the_systems_own_resolver(
    push_service: PushService,
) -> None:
    port = int(push_service.place.rpartition(":")[2])
    for host in ("localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1"):
        with pytest.raises((DoorFault, socket.gaierror)):
            await PushDoor(context=push_service.context).post(Endpoint(host, port, "/"), [], b"")
    assert push_service.connections == 0


async def test_a_name_that_changes_is_asked_where_it_was_checked(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second look would find this machine."""
    names, tried = Names([PUBLIC], ["127.0.0.1"]), []

    async def connect(host: str, port: int, **how: Any) -> None:
        tried.append((host, port, how["server_hostname"]))
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    door = PushDoor(resolve=names.resolve, context=push_service.context)
    with pytest.raises(ConnectionRefusedError):
        await door.post(Endpoint("push.example", 443, "/"), [], b"")
    assert (names.asked, tried) == (1, [(PUBLIC, 443, "push.example")])
    with pytest.raises(DoorFault):
        await door.post(Endpoint("push.example", 443, "/"), [], b"")
    assert (names.asked, push_service.connections) == (2, 0)


async def test_of_several_addresses_the_next_is_asked_where_one_does_not_answer(
    push_service: PushService,
) -> None:
    names = Names(["127.0.0.2", "127.0.0.1"])  # the service listens at the second alone
    door = PushDoor([push_service.place], resolve=names.resolve, context=push_service.context)
    endpoint = door.endpoint(push_service.browser().endpoint)
    assert await door.post(endpoint, [], b"") == PushAnswer(201)


async def test_a_service_must_prove_its_name(push_service: PushService) -> None:
    host, _, port = push_service.place.partition(":")
    stranger = Endpoint("push.example", int(port), "/")
    names = Names(["127.0.0.1"]).resolve
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):  # who signed it?
        await PushDoor([push_service.place]).post(Endpoint(host, int(port), "/"), [], b"")
    door = PushDoor([stranger.place], resolve=names, context=push_service.context)
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):  # for another name
        await door.post(stranger, [], b"")
    assert push_service.pushed == []


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (answer("201 Created"), PushAnswer(201)),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + answer("410 Gone"), PushAnswer(410)),
        (answer("429 Too Many Requests", "Retry-After: 7"), PushAnswer(429, 7)),
        (answer("503 Busy", "Retry-After: 99999999"), PushAnswer(503, LONGEST_WAIT)),
        (answer("503 Busy", "Retry-After: -1"), PushAnswer(503)),
        (answer("503 Busy", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"), PushAnswer(503)),
        (
            b"HTTP/1.1 201 Created\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 10**6,
            PushAnswer(201),
        ),
    ],
)
async def test_of_an_answer_only_its_head_is_read(
    push_service: PushService, sent: bytes, found: PushAnswer
) -> None:
    door = PushDoor([push_service.place], context=push_service.context)
    endpoint = door.endpoint(push_service.browser(answering=sent).endpoint)
    assert await door.post(endpoint, [], b"x" * 4096) == found


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0" * 100,
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"HTTP/1.1 201 Created\r\n",
        b"HTTP/1.1 201 Created\r\n" + b"X: y\r\n" * LONGEST_ANSWER,
        b"HTTP/1.1 201 " + b"x" * 10 * LONGEST_ANSWER,
        b"HTTP/1.1 102 Processing\r\n\r\n" * LONGEST_ANSWER,
    ],
    ids=["nothing", "zeros", "another protocol", "a half", "many headers", "a long line", "no end"],
)
async def test_what_is_no_answer_is_given_up(push_service: PushService, sent: bytes) -> None:
    door = PushDoor([push_service.place], context=push_service.context)
    endpoint = door.endpoint(push_service.browser(answering=sent).endpoint)
    with pytest.raises(ConnectionError):
        await door.post(endpoint, [], b"")


async def test_a_service_that_does_not_answer_is_given_up_in_time(
    push_service: PushService,
) -> None:
    browser = push_service.browser(answering=None)
    door = PushDoor([push_service.place], context=push_service.context, seconds=0.2)
    with pytest.raises(TimeoutError):
        await door.post(door.endpoint(browser.endpoint), [], b"")


async def test_who_takes_the_connection_and_says_nothing_is_given_up_in_time() -> None:
    """Also in the middle of the handshake, and nothing of it is left open."""
    ended = asyncio.Event()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        ended.set()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        place = f"localhost:{server.sockets[0].getsockname()[1]}"
        door = PushDoor([place], resolve=Names(["127.0.0.1"]).resolve, seconds=0.2)
        with pytest.raises(TimeoutError):
            await door.post(door.endpoint(f"https://{place}/"), [], b"")
        async with asyncio.timeout(60):
            await ended.wait()


async def test_name_servers_that_do_not_answer_hold_up_nothing_but_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers, looked = threading.Event(), []

    def look(host: str, *_: object, **__: object) -> list[object]:
        looked.append(host)
        answers.wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look)
    door, endpoint = PushDoor(seconds=0.2), Endpoint("push.example", 443, "/")
    slow = [asyncio.create_task(door.post(endpoint, [], b"")) for _ in range(MOST_LOOKUPS)]
    await until(lambda: len(looked) == MOST_LOOKUPS)
    with pytest.raises(TooManyLookups):
        await door.post(endpoint, [], b"")
    for each in await asyncio.gather(*slow, return_exceptions=True):
        assert isinstance(each, TimeoutError)
    answers.set()  # as late as they may be, others can be looked up again
    await until(lambda: door._lookups.under_way == 0)
    with pytest.raises(socket.gaierror, match="no address"):
        await door.post(endpoint, [], b"")


async def test_a_redirection_is_an_answer_and_leads_nowhere(push_service: PushService) -> None:
    elsewhere = push_service.browser("/elsewhere")
    sent = answer("307 Temporary Redirect", f"Location: {elsewhere.endpoint}")
    door = PushDoor([push_service.place], context=push_service.context)
    endpoint = door.endpoint(push_service.browser(answering=sent).endpoint)
    assert await door.post(endpoint, [], b"") == PushAnswer(307)
    assert [each.path for each in push_service.pushed] == [endpoint.target]
    assert push_service.connections == 1


async def test_an_exception_is_one_place_alone(push_service: PushService) -> None:
    door = PushDoor([push_service.place])
    host, _, port = push_service.place.partition(":")
    assert door.endpoint(f"https://{push_service.place}/a") == Endpoint(host, int(port), "/a")
    for other in (
        f"https://{host}/a",
        f"https://{host}:{int(port) + 1}/a",
        f"http://{host}:{port}/a",
    ):
        with pytest.raises(DoorFault):
            door.endpoint(other)


async def test_names_that_cannot_be_looked_up(push_service: PushService) -> None:
    for host in ("a" * 64 + ".example", "no.such.name.invalid"):
        with pytest.raises(socket.gaierror):  # however late the name server answers
            await PushDoor(seconds=60.0).post(Endpoint(host, 443, "/"), [], b"")
