"""The request meter on real TLS handshakes, cut into chunks anywhere."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Callable

import pytest
import trustme

from rpa.gate.tls import RequestMeter

H2_BEGIN = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(58)  # preface, settings, window update
POST = b"POST /submit HTTP/1.1\r\nHost: shop.example\r\nCookie: " + b"c" * 300 + b"\r\n\r\n"

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]
CHUNKS: dict[str, Callable[[bytes], list[bytes]]] = {
    "whole": lambda data: [data],
    "bytes": lambda data: [data[i : i + 1] for i in range(len(data))],
    "sevens": lambda data: [data[i : i + 7] for i in range(0, len(data), 7)],
}


class Conversation:
    """A TLS client and server in memory, with a meter on the client's side of the wire."""

    def __init__(self, version: ssl.TLSVersion, chunks: Callable[[bytes], list[bytes]]) -> None:
        authority = trustme.CA()
        ours, theirs = ssl.create_default_context(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ours.maximum_version = version
        authority.configure_trust(ours)
        authority.issue_cert("shop.example").configure_cert(theirs)
        self._up, self._down = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._server_in = ssl.MemoryBIO()
        self.client = ours.wrap_bio(self._down, self._up, server_hostname="shop.example")
        self._server = theirs.wrap_bio(self._server_in, self._down, server_side=True)
        self.meter = RequestMeter()
        self._chunks = chunks

    def carry(self) -> None:
        """What the client has written passes the meter and reaches the server."""
        for chunk in self._chunks(self._up.read()):
            self.meter.feed(chunk)
            self._server_in.write(chunk)

    def shake_hands(self) -> None:
        for _ in range(3):
            for side in (self.client, self._server):
                with contextlib.suppress(ssl.SSLWantReadError):
                    side.do_handshake()
                self.carry()

    def send(self, data: bytes) -> None:
        self.client.write(data)
        self.carry()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("chunks", CHUNKS)
def test_a_request_is_told_from_a_handshake(version: ssl.TLSVersion, chunks: str) -> None:
    talk = Conversation(version, CHUNKS[chunks])
    talk.shake_hands()
    assert talk.client.version() == version.name.replace("_", ".")
    assert talk.meter.carried == 0
    talk.send(H2_BEGIN)
    assert talk.meter.carried == 0
    talk.send(POST)
    assert talk.meter.carried > len(POST)


def test_a_large_request_is_counted_over_many_records() -> None:
    talk = Conversation(ssl.TLSVersion.TLSv1_3, CHUNKS["whole"])
    talk.shake_hands()
    talk.send(b"x" * 100_000)
    assert 100_000 < talk.meter.carried < 101_000


@pytest.mark.parametrize("chunks", CHUNKS)
def test_everything_counts_where_nothing_is_encrypted(chunks: str) -> None:
    meter = RequestMeter()
    for chunk in CHUNKS[chunks](b"GET /"):
        meter.feed(chunk)
    assert meter.carried == 5
