"""Who wins when rules conflict (KT24-PREC), and in which order rules of one moment happen (KT24-SIMUL)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.state import Side

T = TypeVar("T")


class Precedence(NamedTuple):
    """What the rulebook asks, in its order, when two rules conflict; compare with ``<``."""

    says_so: bool = False
    is_commentary: bool = False
    is_outside_core: bool = False
    is_cannot: bool = False


CORE = Precedence()


@dataclass(frozen=True)
class Claim:
    """What one rule says about whether something may be done."""

    is_allowed: bool
    text: str
    precedence: Precedence = CORE

    @property
    def rank(self) -> Precedence:
        return self.precedence._replace(is_cannot=not self.is_allowed)


def refusal(claims: Sequence[Claim]) -> str | None:
    """The sentence of the claim that forbids, unless a stronger one allows."""
    if not claims:
        return None
    strongest = max(claims, key=lambda claim: claim.rank)
    return None if strongest.is_allowed else strongest.text


def in_order(decider: Side, prompt: str, effects: Sequence[tuple[str, Steps[T]]]) -> Steps[list[T]]:
    """Resolve effects of the same moment one after the other in the order *decider* chooses (KT24-SIMUL).

    The decider is the player with initiative; for several rules of one weapon, its user.
    """
    left = {f"{number} {name}": steps for number, (name, steps) in enumerate(effects)}
    done: list[T] = []
    while left:
        options = [Option(key, key.split(" ", 1)[1]) for key in left]
        key = yield from pick(
            decider, "which first", prompt, options, {key: key for key in left}, default=next(iter(left))
        )
        done.append((yield from left.pop(key)))
    return done
