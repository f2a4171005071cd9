"""``rpa login``: open a shop once and keep its session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes, say

if TYPE_CHECKING:
    from rpa.config import Project, ShopConfig

__all__ = ["app", "login"]

app = typer.Typer()


@app.command()
def login(
    shop: Annotated[str, typer.Argument(metavar="SHOP", help="Shop name.")],
    headed: Annotated[
        bool, typer.Option("--headed", help="Show the browser, and log in there by hand.")
    ] = False,
    wait: Annotated[
        float, typer.Option("--wait", min=1, metavar="SECONDS", help="How long a person may take.")
    ] = 600.0,
    forget: Annotated[
        bool, typer.Option("--forget", help="Remove the saved session instead.")
    ] = False,
    browser: options.Browser = None,
    as_json: AsJson = False,
) -> None:
    """Log in to a shop, keep the session for later runs, and show whose shop it is."""
    with errors_as_exit_codes(as_json):
        from rpa.config import load_project

        project = load_project()
        config = project.shop(shop)
        file = project.session(shop)
        if forget:
            _forget(project, config)
            document = {"shop": shop, "identity": None, "session": None}
            emit(document, as_json, lambda console: console.print(f"{shop}: session removed"))
            return
        if headed:
            say(f"log in to {shop} in the window; it closes by itself")
        identity = _open(project, config, browser, wait if headed else None)
        kept = str(file) if file.exists() else None
        document = {"shop": shop, "identity": identity, "session": kept}
        words = f"its session is in {kept}" if kept else "its session cannot be kept in a file"
        emit(
            document,
            as_json,
            lambda console: console.print(
                f"{shop}: logged in to {identity}; {words}", markup=False, soft_wrap=True
            ),
        )


def _forget(project: Project, shop: ShopConfig) -> None:
    from rpa.gate.saved import SavedSession

    SavedSession(project.session(shop.name)).forget()


def _open(
    project: Project, shop: ShopConfig, browser: str | None, by_hand: float | None
) -> str | None:
    """Open the shop, and say whose it is.

    Raises:
        LoginFailed: It did not let us in.
        WrongShop: It is another's.
    """
    import asyncio

    from rpa.errors import RpaError
    from rpa.gate.session import SessionOptions
    from rpa.runner.aside import Visit, visit_shops

    async def look(visit: Visit) -> str | None:
        session = await visit.keeper.live()
        return await visit.store.identity(await session.page())

    options = SessionOptions(headed=by_hand is not None, browser=browser, by_hand=by_hand)
    found = asyncio.run(visit_shops(project, [shop], options, look))[shop.name]
    if isinstance(found, RpaError):
        raise found
    return found
