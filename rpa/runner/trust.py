"""Trust: whether a probe may be believed when it finds nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from loguru import logger

from rpa.runner.keeper import Keeper
from rpa.runner.store import Store
from rpa.verify.exam import Certificate, examine
from rpa.verify.probe import Probe

__all__ = ["Examined", "Trust"]


class Trust(Protocol):
    """Says whether probes have earned belief."""

    async def doubt(self, probes: Sequence[Probe]) -> str | None:
        """Why these probes may not be believed; None if they may."""


class Examined:
    """Believes a probe that holds a certificate; one that has none sits the exam first.

    Args:
        folder: Where the shop's certificates are kept.
        keeper: The shop's session.
        store: Its adapter.
        identity: The shop's identity.
        clock: Seconds of the wall clock.
    """

    def __init__(
        self,
        folder: Path,
        keeper: Keeper,
        store: Store,
        identity: str,
        clock: Callable[[], float],
    ) -> None:
        self._folder = folder
        self._keeper = keeper
        self._store = store
        self._identity = identity
        self._clock = clock

    async def doubt(self, probes: Sequence[Probe]) -> str | None:
        """Why these probes may not be believed; None if they may."""
        for probe in probes:
            certificate = await self.certificate(probe)
            if not certificate.passed:
                said = "; ".join(f"{asked}: {why}" for asked, why in certificate.failures.items())
                return f"probe {probe.name} has not passed its exam ({said})"
        return None

    async def certificate(self, probe: Probe, *, anew: bool = False) -> Certificate:
        """The probe's certificate; by an exam where there is none for this version."""
        path = self._folder / f"{probe.name}.json"
        kept = None if anew else Certificate.load(path, probe, self._identity)
        if kept is not None and kept.passed:
            return kept
        logger.info("examining probe {}", probe.name)
        session = await self._keeper.live()
        certificate = await examine(session, self._store, probe, self._clock)
        certificate.save(path)
        return certificate
