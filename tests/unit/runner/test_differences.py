"""An items file and the batch kept of it are compared by what rows mean, not where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.copy_listing import CopyItem
from rpa.inputs import Batch, read_items
from rpa.runner.batch import Differences, differences

HEADER = "sku,source_id,title,price,stock,remark,edition"
ROWS = (
    "甲-1,SRC-1,红裙,45.90,10,首批,",
    "甲-2,SRC-2,蓝裙,45.90,10,首批,",
    "甲-3,SRC-3,绿裙,45.90,10,首批,",
)


def batch(folder: Path, *rows: str) -> Batch[CopyItem]:
    """The rows as a run reads them."""
    file = folder / "商品.csv"
    file.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return read_items(file, CopyItem)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (ROWS, Differences(0, 0, 0)),
        (ROWS[::-1], Differences(0, 0, 0)),
        ((ROWS[0].replace("45.90", "45.9"), *ROWS[1:]), Differences(0, 0, 0)),
        (("甲-0,SRC-1,新,1,1,,", *ROWS), Differences(1, 0, 0)),
        (ROWS[1:], Differences(0, 1, 0)),
        ((ROWS[0].replace("45.90", "46.90"), *ROWS[1:]), Differences(0, 0, 1)),
        ((ROWS[0] + "第二版", *ROWS[1:]), Differences(1, 1, 0)),
    ],
)
def test_rows_are_found_wherever_they_stand(
    tmp_path: Path, rows: tuple[str, ...], found: Differences
) -> None:
    seen = differences(batch(tmp_path, *ROWS), batch(tmp_path, *rows))
    assert seen == found
    assert bool(seen) is (found != Differences(0, 0, 0))
