"""Telling a request from a TLS handshake, from outside: the types of records are in clear."""

from __future__ import annotations

from typing import Final

_HANDSHAKE: Final = 22
_APPLICATION_DATA: Final = 23
_HEADER: Final = 5
_NOT_A_REQUEST: Final = 256
"""Bytes of application data that a connection may send up without any request in them.

TLS 1.3 hides the end of the handshake among them, and HTTP/2 begins with its settings: together
182 from Chromium 156. The shortest POST on a new connection brought it to 506.
"""


class RequestMeter:
    """Counts what a browser sends that may belong to a request. Not encrypted, everything may."""

    def __init__(self) -> None:
        self._encrypted: bool | None = None
        self._application = 0
        self._header = bytearray()
        self._kind = 0
        self._left = 0  # bytes of the current record still to come

    @property
    def carried(self) -> int:
        """Bytes so far; 0 while they can be nothing but a handshake."""
        if self._encrypted and self._application <= _NOT_A_REQUEST:
            return 0
        return self._application

    def feed(self, data: bytes) -> None:
        """Count a chunk; records may begin and end anywhere in it."""
        if self._encrypted is None:
            self._encrypted = data[0] == _HANDSHAKE
        if not self._encrypted:
            self._application += len(data)
            return
        at = 0
        while at < len(data):
            if self._left == 0:
                header = data[at : at + _HEADER - len(self._header)]
                self._header += header
                at += len(header)
                if len(self._header) < _HEADER:
                    return
                self._kind, self._left = self._header[0], int.from_bytes(self._header[3:], "big")
                self._header.clear()
            here = min(self._left, len(data) - at)
            self._left -= here
            at += here
            if self._kind == _APPLICATION_DATA:
                self._application += here
