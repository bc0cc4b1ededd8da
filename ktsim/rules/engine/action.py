"""What an action is. Its conditions are refusals in words; performing it is a rule procedure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.precedence import Claim, refusal
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.values import Reasoned

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle


class Impossible(Exception):
    """The action cannot be completed and is cancelled (KT24-CANCEL); the message says why."""


class Action(ABC):
    """An action an operative can perform."""

    name: ClassVar[str]
    id: ClassVar[str]
    ap: ClassVar[int] = 1
    is_move: ClassVar[bool] = False
    counts_as: ClassVar[str] = ""
    """The action it also is: a Guard is a Shoot action, so that it cannot be performed beside one."""
    can_repeat: ClassVar[bool] = False
    """Whether it may be performed again in the same activation (2021's Pass)."""
    is_granted: ClassVar[bool] = False
    """Whether operatives have it only where a text of their team gives it to them."""
    can_counteract: ClassVar[bool] = True
    """Whether an operative that counteracts may perform it."""
    is_mission: ClassVar[bool] = False
    """Whether it is a mission action."""
    is_unique: ClassVar[bool] = False
    """Whether it is an action of a team's own."""
    is_act: ClassVar[bool] = True
    """Whether performing it is performing an action; a rule that is used before or after actions is not."""

    _counted: ClassVar[dict[str, str]] = {}
    """What performed actions count as, by their names, where that is another action."""

    def __init_subclass__(cls) -> None:
        if cls.counts_as and hasattr(cls, "name"):
            Action._counted[cls.name] = cls.counts_as

    @staticmethod
    def counted_as(done: str) -> str:
        """The action that the performed one named *done* counts as: itself unless it says otherwise."""
        return Action._counted.get(done, done)

    @property
    def counted(self) -> str:
        """The action it counts as, by its name."""
        return self.counts_as or self.name

    @abstractmethod
    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        """Why its conditions do not hold; ``None`` when they do. Neither AP nor repetition is asked here."""

    def is_secret(self, battle: Battle, who: OperativeState) -> bool:
        """Whether that the operative can perform it is for its own player to know."""
        return False

    def opens(self, battle: Battle, who: OperativeState) -> Sequence[str]:
        """The terrain features it could open from where the operative stands: for whoever plans ahead."""
        return ()

    @abstractmethod
    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """Perform it. Raises :class:`Impossible` when it cannot be completed."""


def refuses(battle: Battle, who: OperativeState, action: Action) -> str | None:
    """Why *who* cannot perform *action* now, all rules in force heard (KT24-PREC)."""
    claims = [claim for rule in battle.having("claim") if (claim := rule.claim(battle, who, action)) is not None]
    if (own := action.refusal(battle, who)) is not None:
        claims.append(Claim(False, own))
    return refusal(claims)


def refuses_to_spend(battle: Battle, who: OperativeState, action: Action) -> str | None:
    """Why *who*, being activated, cannot spend AP on *action*: too few left, or performed already."""
    if (why := refuses_to_repeat(battle, who, action)) is not None:
        return why
    cost, left = battle.ap_cost(who, action), battle.ap_left(who)
    return f"{action.name}: costs {cost}AP, {left}AP left." if cost > left else None


def refuses_to_repeat(battle: Battle, who: OperativeState, action: Action) -> str | None:
    """Why *who* cannot perform *action* again in its activation: each once, unless a rule says more (KT24-ACTIVATE)."""
    now = battle.state.activation
    if now is None or now.operative != who.id or now.kind != "activation" or action.can_repeat:
        return None
    same = [done for done in now.actions if Action.counted_as(done) == action.counted]
    if not same or len(same) <= battle.changed(who, f"repeat:{action.name}", Reasoned.of(0)).value:
        return None
    told = (
        "already performed in this activation" if same[0] == action.name else f"not in the same activation as {same[0]}"
    )
    return f"{action.name}: {told}."


def refuses_free(battle: Battle, who: OperativeState, action: Action) -> str | None:
    """Why *who* cannot perform *action* for free: it costs nothing, and for the rest is an action like any other."""
    return refuses_to_repeat(battle, who, action) or refuses(battle, who, action)


def after(battle: Battle, who: OperativeState, action: str, *others: str) -> str | None:
    """The refusal of *action* after any of *others*, or what counts as one, in the same activation or counteraction."""
    now = battle.state.activation
    if now is None or now.operative != who.id:
        return None
    done = [name for name in now.actions if Action.counted_as(name) in others]
    return f"{action}: not after {done[0]}." if done else None


def refuses_close(battle: Battle, action: str, near: Sequence[OperativeState]) -> str:
    """Why *action* cannot be performed by somebody whom these enemies are close to, and what ends that."""
    return f"{action}: not while within {near[0].name}'s {battle.edition.near}: Fight or Fall Back."
