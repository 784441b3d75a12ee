"""ManifestPart: what all parts of a manifest share, and the numbers that they may hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0, lt=2**53)]
Finite = Annotated[float, Field(ge=0, le=1e100)]
Exact = Annotated[str, Field(pattern=r"^[0-9]{1,1000}(/[0-9]{0,999}[1-9][0-9]{0,999})?$")]


class ManifestPart(BaseModel):
    """What all parts share: nothing unknown, no NaN, no guessing of types."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=True)
