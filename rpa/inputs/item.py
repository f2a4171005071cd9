"""The item: one input row as a pydantic model that knows which fields say what it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationInfo, field_validator

from rpa.inputs.item_code import identity_text
from rpa.inputs.origin import Origin

__all__ = ["EDITION", "OCCURRENCE", "Item"]

OCCURRENCE = "occurrence"
EDITION = "edition"


class Item(BaseModel):
    """One input row. Subclass it with the columns of the file and name the identity.

    Text is kept as it is written; only identity fields are trimmed (`item_code.identity_text`).

    Attributes:
        identity_fields: Fields that say which item this is; each is a ``str`` field. They are part
            of the unit key for ever, so choose what never changes: a SKU, not a title.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)

    identity_fields: ClassVar[tuple[str, ...]] = ()

    _folder: Path | None = PrivateAttr(default=None)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Check the declaration of a subclass.

        Raises:
            TypeError: Names the class and the field that is declared wrongly.
        """
        super().__pydantic_init_subclass__(**kwargs)
        names = cls.identity_fields
        if not isinstance(names, tuple) or not names:
            raise TypeError(f'{cls.__name__}: identity_fields must be a tuple such as ("sku",)')
        for name in names:
            if name not in cls.model_fields:
                raise TypeError(f"{cls.__name__}.{name}: named in identity_fields but not a field")
            if cls.model_fields[name].annotation is not str:
                raise TypeError(f"{cls.__name__}.{name}: an identity field must be of type str")
        for name in (OCCURRENCE, EDITION):
            if name in cls.model_fields:
                raise TypeError(f"{cls.__name__}.{name}: this name is taken by the reader's column")

    @field_validator("*", mode="before")
    @classmethod
    def _trust_no_guess(cls, value: object, info: ValidationInfo) -> object:
        """Apply the identity rule, and keep a yes/no cell from becoming the number 1."""
        if info.field_name in cls.identity_fields:
            return identity_text(value)
        kind = cls.model_fields[str(info.field_name)].annotation
        if isinstance(value, bool) and kind in (int, float, Decimal):
            raise ValueError(f"{str(value).lower()} is not a number")
        return value

    def model_post_init(self, context: Any, /) -> None:
        """Remember the folder of the items file, which `arguments` leaves out of paths."""
        if isinstance(context, Origin):
            self._folder = context.folder

    def identity(self) -> dict[str, str]:
        """The identity fields and their trimmed text, in declared order."""
        return {name: getattr(self, name) for name in self.identity_fields}

    def arguments(self) -> dict[str, object]:
        """All fields as plain values, the same on every computer that reads the same file.

        Decimals stay ``Decimal``; paths become text with ``/``, relative to the items file's
        folder when they lie below it; dates become ISO text; sequences become lists.

        Raises:
            TypeError: A field holds something that has no plain form; names class and field.
        """
        return {
            name: self._plain(value, f"{type(self).__name__}.{name}")
            for name, value in self.model_dump().items()
        }

    def _plain(self, value: object, where: str) -> object:
        if isinstance(value, Enum):
            return self._plain(value.value, where)
        if value is None or isinstance(value, (str, bool, int, Decimal)):
            return value
        if isinstance(value, float):
            return Decimal(repr(value))
        if isinstance(value, Path):
            folder = self._folder
            if folder is not None and value.is_relative_to(folder):
                return value.relative_to(folder).as_posix()
            return value.as_posix()
        if isinstance(value, (date, time)):
            return value.isoformat()
        if isinstance(value, (list, tuple)):
            return [self._plain(part, where) for part in value]
        if isinstance(value, Mapping):
            return {str(key): self._plain(part, where) for key, part in value.items()}
        raise TypeError(f"{where}: {type(value).__name__} has no plain form; use text or a number")
