"""JSON as data from strangers: a size limit before anything is read, no depth or number that can hurt."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from ktsim.content.bounded import read_bounded
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError

SIZE_LIMIT = 8_000_000


def read_json(path: Path) -> Any:
    """The value in the file at *path*; :class:`UserError` with the line when it cannot be read.

    Numbers nobody can mean (``NaN``, thousands of digits) come back as not finite, for the caller to refuse in place.
    """
    place = printable(str(path), 200)
    return parse_json(read_bounded(path, place, SIZE_LIMIT, "a JSON file"), place)


_MEGABYTES = SIZE_LIMIT // 1_000_000


def parse_json(data: bytes, place: str) -> Any:
    """The value in *data*; problems name *place* and the line."""
    if len(data) > SIZE_LIMIT:
        raise UserError(Problem(place, f"is {len(data) / 1e6:.1f} MB; at most {_MEGABYTES} MB is read"))
    try:
        return json.loads(data.decode("utf-8-sig"), parse_int=_whole)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError(Problem(f"{place}:{line}", "is not UTF-8 text; save the file as UTF-8")) from None
    except json.JSONDecodeError as error:
        raise UserError(Problem(f"{place}:{error.lineno}", f"is not valid JSON: {printable(error.msg, 120)}")) from None
    except RecursionError:
        raise UserError(Problem(place, "is nested too deep; nothing here needs that")) from None


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= 18 else math.inf
