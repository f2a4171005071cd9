"""A project: `rpa.toml` and the folders beside it."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, Final, Self

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from rpa.config.shop import ShopConfig
from rpa.errors import ConfigError, JournalUnwritable

__all__ = ["Project", "load_project"]

_FILE: Final = "rpa.toml"


class Project(BaseModel):
    """What `rpa.toml` says.

    Attributes:
        root: The folder that holds `rpa.toml`.
        shops: Every shop, by name.
        sessions: Where saved sessions are kept; outside the project tree unless set.
        slots: Shops that run at the same time; about the core count unless set.
        evidence_days: Evidence older than this is dropped, except for held units.
        evidence_mb: Evidence beyond this is dropped, oldest first, except for held units.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    root: Path
    shops: dict[str, ShopConfig]
    sessions: Path | None = None
    slots: int | None = None
    evidence_days: float = 30.0
    evidence_mb: float = 500.0

    @model_validator(mode="after")
    def _one_identity_each(self) -> Self:
        counted = Counter((shop.store, shop.identity) for shop in self.shops.values())
        for (store, identity), count in counted.items():
            if count > 1:
                names = [s.name for s in self.shops.values() if s.identity == identity]
                raise ValueError(
                    f"shops {', '.join(names)} all claim identity {identity!r} of store {store!r}; "
                    "one shop, one identity: remove the copies"
                )
        return self

    def shop(self, name: str) -> ShopConfig:
        """Find a shop by name.

        Raises:
            ConfigError: There is none; names those there are.
        """
        if name not in self.shops:
            known = ", ".join(sorted(self.shops)) or "none"
            raise ConfigError(f"{self.file}: no shop {name!r}; it has: {known}")
        return self.shops[name]

    @property
    def file(self) -> Path:
        """The configuration file."""
        return self.root / _FILE

    @property
    def home(self) -> Path:
        """Where journals, evidence, logs and reports are kept; made when first asked for.

        Raises:
            JournalUnwritable: It cannot be made.
        """
        home = self.root / ".rpa"
        if not home.exists():
            try:
                home.mkdir(parents=True, exist_ok=True)
                (home / ".gitignore").write_text("*\n", encoding="utf-8")
            except OSError as error:
                raise JournalUnwritable(f"{home} cannot be made: {error.strerror}") from None
        return home

    def journal(self, shop: str) -> Path:
        """A shop's journal."""
        return self.home / "journals" / f"{shop}.jsonl"

    def evidence(self, shop: str) -> Path:
        """A shop's evidence folder."""
        return self.home / "evidence" / shop

    def log(self, shop: str) -> Path:
        """A shop's log."""
        return self.home / "logs" / f"{shop}.log"

    def session(self, shop: str) -> Path:
        """A shop's saved session: private, and outside the tree so that nobody commits it."""
        if self.sessions is not None:
            return self.root / self.sessions / f"{shop}.json"
        project = hashlib.sha256(str(self.root.resolve()).encode()).hexdigest()[:12]
        return platformdirs.user_state_path("landonce") / "sessions" / project / f"{shop}.json"


def load_project(start: Path | None = None) -> Project:
    """Read `rpa.toml` from a folder or the nearest one above it.

    Raises:
        ConfigError: None was found, it is not TOML, or a key is wrong; names file and key.
    """
    here = (start or Path.cwd()).resolve()
    folders = [here, *here.parents] if here.is_dir() else [here.parent]
    root = next((folder for folder in folders if (folder / _FILE).is_file()), None)
    if root is None:
        raise ConfigError(f"no {_FILE} in {here} or above; `rpa init` writes one")
    file = root / _FILE
    try:
        raw = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        hint = (
            '; a name in Chinese needs quotes: [shops."店铺-a"]' if "key part" in str(error) else ""
        )
        raise ConfigError(f"{file}: {error}{hint}") from None
    return parse_project(raw, root)


def parse_project(raw: dict[str, Any], root: Path) -> Project:
    """Check what a configuration says.

    Raises:
        ConfigError: A key is wrong; names file and key.
    """
    shops = raw.pop("shops", None)
    if not isinstance(shops, dict) or not shops:
        raise ConfigError(f"{root / _FILE}: no shops; add a table [shops.NAME]")
    named = {name: {"name": name, **shop} for name, shop in shops.items()}
    try:
        return Project.model_validate({**raw, "root": root, "shops": named})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"]) or "shops"
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{root / _FILE} key {key}: {message}") from None
