"""hold: the cells of a source, in memory or on the cluster that the source lies on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from ripost.errors import InputError, nearest
from ripost.tensor.tensor import Tensor

if TYPE_CHECKING:
    from ripost.engines.spark.spread import Spread
    from ripost.ingest.schema import Schema

AUTO, MEMORY, SPARK = ENGINES = ("auto", "memory", "spark")
MOST_IN_MEMORY = 2**23  # non-empty cells of a Spark table; more stay on the cluster


@contextmanager
def hold(
    source: Any, schema: Schema, *, table: str | None, engine: str, samples: bool, secret: str | None = None
) -> Iterator[Tensor | Spread]:
    """The cells of a table for as long as they are needed.

    Which engine holds them makes no difference to what is released, so this may depend on how many there are. Whether
    it is refused may not: that is decided by the domain, which is public.

    Args:
        samples: whether samples of single records will be asked for, which executors never draw.
    """
    from ripost.ingest.read import encoded, tensor_of

    if engine not in ENGINES:
        raise InputError(f"engine must be one of {', '.join(ENGINES)}, got {engine!r}; {nearest(engine, ENGINES)}")
    with ExitStack() as until_read:
        opened, expression = until_read.enter_context(encoded(source, schema, table=table, secret=secret))
        on_spark = opened.backend.name == "pyspark"
        if engine == SPARK and not on_spark:
            raise InputError("engine spark needs a Spark frame or a spark:// URL as its source")
        if not on_spark or engine == MEMORY:
            tensor = tensor_of(opened, expression, schema)
            until_read.close()
            yield tensor
            return
        if samples and (engine == SPARK or schema.domain.size > MOST_IN_MEMORY):
            advice = "give engine='memory' if the driver can hold every non-empty cell, or choose another method"
            raise InputError(f"this method draws samples of single records, which executors never do; {advice}")
        from ripost.engines.spark.spread import Spread

        spread = Spread.of(opened, expression, schema)
        until_read.callback(spread.close)
        if engine == AUTO and spread.cells <= MOST_IN_MEMORY:
            tensor = spread.gathered()
            until_read.close()
            yield tensor
        else:
            yield spread
