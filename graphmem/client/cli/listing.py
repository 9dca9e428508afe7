"""The tables that commands print: the only place where one is made, so that no stored text is taken for markup."""

from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table
from rich.text import Text

from graphmem.visible import visible, visible_lines

_UNFOLDED = 200
"""Columns of what goes into a file or another program, which folds no lines."""


@dataclass(slots=True)
class Listing:
    """Rows of text under a title. ``empty`` says what there is none of and what to do next; it follows the title."""

    title: str
    columns: tuple[str, ...]
    empty: str
    _sections: list[list[tuple[str, ...]]] = field(default_factory=lambda: [[]])

    def add(self, *cells: str) -> None:
        """Add a row."""
        self._sections[-1].append(cells)

    def end_section(self) -> None:
        """Draw a line below the last row."""
        self._sections.append([])

    @property
    def is_empty(self) -> bool:
        return not any(self._sections)

    def table(self) -> Table | Text:
        """The rows as a table, or where there are none, a sentence. Every character is shown; none is obeyed."""
        if self.is_empty:
            return Text(visible(f"{self.title}: {self.empty}"))
        table = Table(title=Text(visible(self.title), style="table.title"), title_justify="left")
        for column in self.columns:
            table.add_column(Text(visible(column)), overflow="fold")
        for section in self._sections:
            for row in section:
                table.add_row(*(Text(visible_lines(cell).expandtabs(4)) for cell in row))
            table.add_section()
        return table


def show(listing: Listing, console: Console | None = None) -> None:
    """Print a listing, in a terminal as wide as that is."""
    console = console or Console()
    if not console.is_terminal:
        console.width = max(console.width, _UNFOLDED)
    console.print(listing.table())
