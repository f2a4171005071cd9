"""After the canary: a yes given beforehand goes on only if all went well."""

from __future__ import annotations

import pytest

from rpa.cli.launch import Canary, Result
from rpa.runner.batch import Manifest
from rpa.runner.job import Ended

MANIFEST = Manifest("r1", "copy_listing", ("杭州一店", "b"), "商品.csv", ".")


def result(*codes: int) -> Result:
    """A result in which each shop has landed one unit and ended so."""
    ended = {
        shop: Ended(exit_code=code, counts={"submitted": 1})
        for shop, code in zip(MANIFEST.shops, codes, strict=True)
    }
    return Result(MANIFEST, ended)


@pytest.mark.parametrize(
    ("yes", "codes", "goes_on", "said"),
    [
        (True, (0, 0), True, "canary: 2 units are submitted; look"),
        (True, (3, 0), False, "杭州一店 did not go well"),
        (False, (0, 0), False, "nobody to ask"),
        (False, (0, 5), False, "something went wrong"),
    ],
)
def test_without_a_terminal(
    yes: bool,
    codes: tuple[int, int],
    goes_on: bool,
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert Canary(True, yes).goes_on(result(*codes)) is goes_on
    assert said in capsys.readouterr().err
