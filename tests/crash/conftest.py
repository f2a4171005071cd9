"""The stores that crash cases play in: started once, and only if a case asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.crash.cases import Case
from tests.crash.grounds import Lender, backoffice_grounds, oscar_grounds
from tests.crash.stage import Played, play
from tests.crash.troupe import AT_ONCE, Troupe
from tests.support.backoffice import start_backoffice
from tests.support.oscar import start_oscar

_SHOPS = [f"shop-{number}" for number in range(1, AT_ONCE + 1)]


@pytest.fixture(scope="session")
def troupe(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Troupe]:
    """Plays every case that this session has selected."""
    specs = (getattr(item, "callspec", None) for item in request.session.items)
    asked = [spec.params.get("case") for spec in specs if spec is not None]
    cases = [case for case in asked if isinstance(case, Case)]
    with ExitStack() as stack:
        lenders = _lenders({case.flow for case in cases}, tmp_path_factory, stack)

        def one(case: Case) -> Played:
            with lenders[case.flow].lend() as ground:
                return play(case, ground, tmp_path_factory.mktemp("crash"))

        yield stack.enter_context(Troupe(one, cases))


def _lenders(
    flows: set[str], folders: pytest.TempPathFactory, stack: ExitStack
) -> dict[str, Lender]:
    lenders: dict[str, Lender] = {}
    exams: Path = folders.mktemp("exams")
    if flows - {"oscar"}:
        server = stack.enter_context(start_backoffice(folders.mktemp("backoffice"), _SHOPS))
        lenders["copy"] = lenders["list"] = Lender(backoffice_grounds(server, exams / "backoffice"))
    if "oscar" in flows:
        farm = stack.enter_context(start_oscar(folders.mktemp("oscar"), _SHOPS))
        lenders["oscar"] = Lender(oscar_grounds(farm, exams / "oscar"))
    return lenders
