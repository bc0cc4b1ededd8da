"""Files made a little wrong: by bytes, as text, and as the tree a JSON or YAML file holds."""

from __future__ import annotations

import copy
import json
import math
import struct
from collections.abc import Iterator
from random import Random
from typing import Any

NUMBERS = ["9" * 25, "-" + "9" * 400, "1e308", "1e-320", ".nan", ".inf", "0x7fffffffffffffff", "1_000", "0o17", "1:30"]
NUMBERS += ["9" * 5000, "0", "-1", "7", "0.0001", "239.9"]
WORDS = ["[]", "{}", "null", "~", "true", "''", "-1", "0", "[1, 2, 3]", "{id: x}", "\t", "---", "...", "&a [*a]", "| "]
WORDS += ["!!python/object/apply:os.system ['id']", "!!binary aGk=", "<<: *x", "? x", ">+", "%YAML 1.1", "\u202e", "="]
WORDS += ["\x1b[31m", "\x07", "\x00", "\u2028", "\U0001f600", "\x9b31m", "../../../../etc/passwd", "/etc/passwd", "@x"]
WORDS += ["file:///etc/passwd", "http://x/y", "C:\\x", "~/x", "a" * 300, "a" * 70000, "[" * 40, "{a: " * 40, "\ufeff"]
VALUES: list[Any] = [None, True, False, 0, -1, 1, 10**18, 10**30, 1e308, math.nan, math.inf, 1e-320, "", "x" * 65]
VALUES += [
    "x" * 100_000,
    "\x1b[31mred",
    "\u202egnp",
    "a\nb",
    "\x00",
    [],
    {},
    [[]],
    [None],
    {"": None},
    "NaN",
    "3+",
    "-0",
]
VALUES += [[[[[[[[[[1]]]]]]]]], "../../../etc/passwd", "/dev/zero", "1/0", ["a"] * 5000, "\u00b2", "\u0661", 0.1, 3, 99]
VALUES += [{f"k{number}": number for number in range(3000)}]
COUNTS = [0, 1, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF]


def bytes_mutant(data: bytes, rng: Random) -> bytes:
    """A few bytes flipped, cut out, doubled, moved; counts and numbers made extreme."""
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if not out:
            break
        at, size = rng.randrange(len(out)), rng.choice([1, 4, 40, 400])
        match rng.randrange(8):
            case 0:
                out[at] ^= 1 << rng.randrange(8)
            case 1:
                out[at] = rng.choice(b'\x00\xff\x80\x7f\n\r\x1b"{[')
            case 2:
                del out[at:]
            case 3:
                del out[at : at + size]
            case 4:
                out[at:at] = out[at : at + size]
            case 5:
                out[at : at + 4] = struct.pack("<I", rng.choice(COUNTS))
            case 6:
                out[at : at + 4] = struct.pack("<f", rng.choice([math.nan, math.inf, -math.inf, 1e38, 1e-45, 0.0]))
            case _:
                other = rng.randrange(len(out))
                out[at : at + 30] = out[other : other + 30]
    return bytes(out)


def text_mutant(data: bytes, rng: Random) -> bytes:
    """Numbers and words replaced, lines dropped, doubled and swapped."""
    text = data.decode("utf-8", "replace")
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(max(1, len(text)))
        match rng.randrange(5):
            case 0:
                if digits := [place for place, letter in enumerate(text) if letter.isdigit()]:
                    start = end = rng.choice(digits)
                    while end < len(text) and (text[end].isdigit() or text[end] == "."):
                        end += 1
                    text = text[:start] + rng.choice(NUMBERS + WORDS) + text[end:]
            case 1:
                text = text[:at] + rng.choice(WORDS + NUMBERS) + text[at:]
            case 2:
                if lines := text.splitlines(keepends=True):
                    line = rng.randrange(len(lines))
                    lines[line : line + 1] = rng.choice(
                        [[], [lines[line]] * 2, [lines[line]] * 50, [rng.choice(lines)]]
                    )
                    text = "".join(lines)
            case 3:
                words = text.split(" ")
                words[rng.randrange(len(words))] = rng.choice([*WORDS, rng.choice(words)])
                text = " ".join(words)
            case _:
                text = text[:at] + text[at + rng.choice([1, 3, 10]) :]
    return text.encode("utf-8", "surrogatepass")


def tree_mutant(tree: Any, rng: Random) -> Any:
    """A tree with values replaced, left out, doubled or put elsewhere."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        where = [path for path in _paths(tree) if path]
        if not where:
            break
        path = rng.choice(where)
        holder, last = _at(tree, path[:-1]), path[-1]
        match rng.randrange(6):
            case 0 | 1:
                holder[last] = copy.deepcopy(rng.choice(VALUES))
            case 2:
                old = holder[last]
                is_number = isinstance(old, int | float) and not isinstance(old, bool)
                holder[last] = rng.choice([old + 1, -old, old * 1000, 0, str(old), old + 0.5]) if is_number else [old]
            case 3:
                del holder[last]
            case 4:
                holder[last] = copy.deepcopy(_at(tree, rng.choice(where)))
            case _:
                if isinstance(holder, list):
                    holder.append(copy.deepcopy(holder[last]))
                else:
                    holder[rng.choice(["x", "", "id", "\x1b[1m", "__class__"])] = copy.deepcopy(holder[last])
    return tree


def dumped(tree: Any) -> bytes:
    """A tree as JSON, which is YAML too."""
    try:
        return json.dumps(tree).encode()
    except ValueError:
        return b"{}"


def _paths(tree: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield here
    for key, each in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from _paths(each, (*here, key))


def _at(tree: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tree = tree[key]
    return tree
