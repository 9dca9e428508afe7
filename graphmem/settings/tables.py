"""What tables of settings are made of."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, SecretStr


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]


EMPTY_IS_NONE = BeforeValidator(lambda value: value or None)
"""Of variables that compose files hand on, whether or not they are set."""


TextOrNone = Annotated[str | None, EMPTY_IS_NONE]
SecretOrNone = Annotated[SecretStr | None, EMPTY_IS_NONE]


class Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
