"""CSV, XLSX and JSONL files into checked items."""

from rpa.inputs.item import Item
from rpa.inputs.item_code import ItemCode
from rpa.inputs.money import Money
from rpa.inputs.picture import PictureFile
from rpa.inputs.read import Batch, read_items
from rpa.inputs.row import Row

__all__ = ["Batch", "Item", "ItemCode", "Money", "PictureFile", "Row", "read_items"]
