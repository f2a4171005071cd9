"""Every error of the framework, with what to do about it.

    RpaError
    ├── UsageError             exit 2   the person can mend it before anything happens
    │   ├── InputError                  an items file
    │   ├── ConfigError                 rpa.toml, credentials
    │   ├── FlowError                   a flow or store that is declared wrongly
    │   └── LoginFailed                 the store refused the credentials
    ├── JournalError           exit 6   the memory cannot be trusted or written
    │   ├── JournalDamaged              damage that is not a torn tail
    │   ├── JournalTooNew               written by a newer version
    │   └── JournalUnwritable           no line, no click
    ├── Conflict                        somebody else moved this unit first
    ├── IllegalTransition               an event the state table does not know
    ├── ShopLocked             exit 75  another run holds the shop
    ├── WrongShop              exit 5   the page belongs to another shop
    ├── BrowserMissing                  no Chromium to be found
    ├── StepError                       one step of one unit
    │   ├── BeforeSubmit       retry    nothing left; try again
    │   │   └── StoreDown      wait     the store does not answer
    │   ├── Throttled          wait     the store says when
    │   ├── LoggedOut          stop     the session ended; stops the shop, not the unit
    │   ├── Invalid            stop     nothing left and nothing will; a person decides
    │   ├── SubmitAgain        stop     a second entry into a released submit
    │   └── Ambiguous          verify   it may have landed
    └── ProbeError             verify   a probe could not read its list

Leaves carry their disposition, so that one place can decide about retries without knowing them.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import ClassVar

__all__ = [
    "Ambiguous",
    "BeforeSubmit",
    "BrowserMissing",
    "ConfigError",
    "Conflict",
    "Disposition",
    "FlowError",
    "IllegalTransition",
    "InputError",
    "Invalid",
    "JournalDamaged",
    "JournalError",
    "JournalTooNew",
    "JournalUnwritable",
    "LoggedOut",
    "LoginFailed",
    "ProbeError",
    "RpaError",
    "ShopLocked",
    "StepError",
    "StoreDown",
    "SubmitAgain",
    "Throttled",
    "UsageError",
    "WrongShop",
]


class Disposition(StrEnum):
    """What an error allows next."""

    RETRY = "retry"
    WAIT = "wait"
    VERIFY = "verify"
    STOP = "stop"


class RpaError(Exception):
    """Something went wrong that the framework knows by name."""

    exit_code: ClassVar[int] = 1
    disposition: ClassVar[Disposition] = Disposition.STOP


class UsageError(RpaError):
    """The command, a file or the configuration asks for something impossible."""

    exit_code = 2


class InputError(UsageError):
    """An items file is missing, unreadable, ambiguous or wrong; names file, row and column."""


class ConfigError(UsageError):
    """The project's configuration is missing or wrong; names file and key."""


class FlowError(UsageError):
    """A flow or store is declared wrongly; names class and step."""


class LoginFailed(UsageError):
    """The store refused the shop's credentials; names the shop and where they come from."""


class JournalError(RpaError):
    """The journal cannot be read or written; the shop stops."""

    exit_code = 6


class JournalDamaged(JournalError):
    """A line in the middle of the journal is not a record."""

    def __init__(self, path: Path, line: int, byte: int, why: str) -> None:
        super().__init__(
            f"{path} line {line} (byte {byte}): {why}; nothing was changed. "
            f"See `rpa journal check`, then restore the file from a copy."
        )
        self.path, self.line, self.byte, self.why = path, line, byte, why


class JournalTooNew(JournalError):
    """The journal was written by a newer version; it is left byte for byte as it is."""


class JournalUnwritable(JournalError):
    """A record could not be made durable, so the click it announces must not happen."""


class Conflict(RpaError):
    """The unit was moved by somebody else after it was read; nothing was written."""


class IllegalTransition(RpaError):
    """An event that the state table does not allow here; nothing was changed."""


class ShopLocked(RpaError):
    """Another run holds this shop."""

    exit_code = 75


class WrongShop(RpaError):
    """The page or the request belongs to another shop than the one configured."""

    exit_code = 5


class BrowserMissing(RpaError):
    """No Chromium was found and none could be installed; names every place looked at."""


class StepError(RpaError):
    """A step of one unit failed."""

    exit_code = 4


class BeforeSubmit(StepError):
    """A step failed while nothing had been sent; the unit may be tried again."""

    disposition = Disposition.RETRY


class StoreDown(BeforeSubmit):
    """The store does not answer, or answers 5xx, before anything was sent."""

    disposition = Disposition.WAIT


class Throttled(StepError):
    """The store asks to slow down, before anything was sent.

    Args:
        message: What was seen.
        retry_after: Seconds the store named, if it did.
    """

    disposition = Disposition.WAIT

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class LoggedOut(StepError):
    """The shop's session has ended; the shop stops until somebody logs in."""


class Invalid(StepError):
    """The store provably refuses this unit, and will again; a person decides."""


class SubmitAgain(StepError):
    """A step tried to enter a submit that is already released."""


class Ambiguous(StepError):
    """A submit may have landed; only a probe or a person can say."""

    disposition = Disposition.VERIFY


class ProbeError(RpaError):
    """A probe could not read its list; the verdict is inconclusive."""

    disposition = Disposition.VERIFY
