"""What happens to operatives and markers: being set up, activated, acting, moving, attacking, leaving."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ktsim.rules.engine.events import Event, Names
from ktsim.rules.engine.state import (
    Activation,
    MarkerState,
    OperativeState,
    OrderName,
    Path,
    Point,
    Side,
    State,
    inches,
)


@dataclass(frozen=True)
class Joined(Event):
    """An operative was selected and belongs to the battle; it is not in the killzone yet."""

    operative: str
    name: str
    side: Side
    card: str
    wounds: int

    def apply(self, state: State) -> None:
        state.operatives[self.operative] = OperativeState(self.operative, self.name, self.side, self.card, self.wounds)


@dataclass(frozen=True)
class SetUp(Event):
    operative: str
    point: Point
    turn: int = 0

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.point
        who.turn, who.is_set_up = self.turn, True

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is set up."


@dataclass(frozen=True)
class ActivationBegan(Event):
    operative: str
    kind: str
    order: OrderName
    apl: int

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.order = self.order
        if self.kind == "counteraction":
            who.has_counteracted = True
            state.activation = Activation(self.operative, "counteraction", self.apl)
        else:
            state.activation = Activation(self.operative, "activation", self.apl)
            state.effects = [
                effect
                for effect in state.effects
                if not (effect.by == self.operative and effect.ends_at("own-next-activation"))
                and not (effect.target == self.operative and effect.ends_at("next-activation-start"))
            ]

    def words(self, names: Names) -> str:
        if self.kind == "counteraction":
            return f"{names(self.operative)} counteracts."
        return f"{names(self.operative)} is activated on {self.order.title()} (APL {self.apl})."


@dataclass(frozen=True)
class ActivationEnded(Event):
    operative: str

    def apply(self, state: State) -> None:
        assert state.activation is not None
        was_activation = state.activation.kind == "activation"
        state.activation = None
        state.effects = [effect for effect in state.effects if not effect.ends_at("activation")]
        if not was_activation:
            return
        state.operatives[self.operative].is_ready = False
        kept = []
        for effect in state.effects:
            ends_here = (effect.target == self.operative and effect.ends_at("next-activation")) or (
                effect.by == self.operative and effect.ends_at("own-next-activation-end")
            )
            if ends_here and effect.skips:
                kept.append(replace(effect, skips=effect.skips - 1))
            elif not ends_here:
                kept.append(effect)
        state.effects = kept

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is done."


@dataclass(frozen=True)
class OrderGiven(Event):
    """An order given outside an activation, as at set-up in 2021."""

    operative: str
    order: OrderName

    def apply(self, state: State) -> None:
        state.operatives[self.operative].order = self.order

    def words(self, names: Names) -> str:
        article = "an" if self.order == "engage" else "a"
        return f"{names(self.operative)} has {article} {self.order.title()} order."


@dataclass(frozen=True)
class Overwatched(Event):
    """KT21-OVERWATCH: once per turning point; it is no activation."""

    operative: str

    def apply(self, state: State) -> None:
        state.operatives[self.operative].has_counteracted = True


@dataclass(frozen=True)
class ApSpent(Event):
    """AP spent beyond what the present action costs."""

    operative: str
    ap: int
    reason: str

    def apply(self, state: State) -> None:
        if state.activation is not None and state.activation.operative == self.operative:
            state.activation.ap_spent += self.ap

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} spends {self.ap}AP more ({self.reason})."


@dataclass(frozen=True)
class ActionBegan(Event):
    """An action is performed for *ap*. Free actions cost nothing and count as performed."""

    operative: str
    action: str
    ap: int
    is_move: bool = False

    def apply(self, state: State) -> None:
        now = state.activation
        if now is None or now.operative != self.operative:
            return
        now.ap_spent += self.ap
        now.actions.append(self.action)
        if self.is_move:
            now.moves.append(self.action)

    def words(self, names: Names) -> str:
        cost = f"{self.ap}AP" if self.ap else "free"
        return f"{names(self.operative)}: {self.action} ({cost})."


@dataclass(frozen=True)
class ActionEnded(Event):
    """Stat changes that came up during the action take hold (KT24-STATS)."""

    operative: str

    def apply(self, state: State) -> None:
        state.reaching = None
        state.effects = [
            replace(effect, is_pending=False) if effect.is_pending else effect
            for effect in state.effects
            if not (effect.ends_at("action") and self.operative in (effect.by, effect.target, effect.foe))
        ]


@dataclass(frozen=True, eq=False)
class ActionCancelled(Event):
    """The action could not be completed: everything is as it was *before* it (KT24-CANCEL)."""

    operative: str
    action: str
    reason: str
    before: State
    rule: str = "KT24-CANCEL"

    def apply(self, state: State) -> None:
        state.become(self.before)

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} cancels {self.action}: {self.reason.rstrip('.')}. [{self.rule}]"


@dataclass(frozen=True)
class Moved(Event):
    """The operative moved along *path*; *cost* is what the legs came to in inches."""

    operative: str
    path: Path
    cost: int
    allowance: int

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.path[-1]

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.path[-1])
        return f'{names(self.operative)} moves {self.cost}" of {self.allowance}" to {x:.1f}", {y:.1f}".'


@dataclass(frozen=True)
class Stopped(Event):
    """The operative has come no further in the move just made than along *path*, the beginning of its way."""

    operative: str
    path: Path
    rule: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.path[-1]

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.path[-1])
        return f'{names(self.operative)} stops at {x:.1f}", {y:.1f}". [{self.rule}]'


@dataclass(frozen=True)
class WeaponUsed(Event):
    """A weapon is used in the present action. *limit* is the name its uses are counted under, if they are."""

    operative: str
    weapon: str
    limit: str = ""

    def apply(self, state: State) -> None:
        if state.activation is not None and state.activation.operative == self.operative:
            state.activation.weapons.append(self.weapon)
        if self.limit:
            uses = state.operatives[self.operative].uses
            uses[self.limit] = uses.get(self.limit, 0) + 1


@dataclass(frozen=True)
class Retained(Event):
    """What became of *dice* attack dice."""

    operative: str
    dice: int
    normals: int
    crits: int
    fails: int
    discarded: int

    def apply(self, state: State) -> None:
        """Nothing changes."""

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} retains {successes(self.normals, self.crits)}."


def successes(normals: int, crits: int) -> str:
    """``2 normal successes and 1 critical success``, ``1 normal and 1 critical success``"""
    counted = [(count, kind) for count, kind in ((normals, "normal"), (crits, "critical")) if count]
    nouns = ["success" if count == 1 else "successes" for count, _ in counted]
    if not counted:
        return "no success"
    if len(set(nouns)) == 1:
        return " and ".join(f"{count} {kind}" for count, kind in counted) + f" {nouns[0]}"
    return " and ".join(f"{count} {kind} {noun}" for (count, kind), noun in zip(counted, nouns, strict=True))


@dataclass(frozen=True)
class Wounded(Event):
    """*amount* damage is inflicted; wounds do not go below 0."""

    operative: str
    amount: int
    cause: str
    by: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        if 0 < who.wounds <= self.amount:
            others = (each for each in state.operatives.values() if each.is_in_killzone and each.is_incapacitated)
            who.fell = 1 + max((each.fell for each in others), default=0)
        who.wounds = max(0, who.wounds - self.amount)
        if self.amount > 0:
            who.wounded_by, who.wounded_in = self.by, state.turning_point

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} suffers {self.amount} damage ({self.cause})."


@dataclass(frozen=True)
class Healed(Event):
    """The operative regains *amount* lost wounds."""

    operative: str
    amount: int
    cause: str

    def apply(self, state: State) -> None:
        state.operatives[self.operative].wounds += self.amount

    def words(self, names: Names) -> str:
        noun = "wound" if self.amount == 1 else "wounds"
        return f"{names(self.operative)} regains {self.amount} {noun} ({self.cause})."


@dataclass(frozen=True)
class Survived(Event):
    """The operative is not incapacitated after all and has *wounds* left."""

    operative: str
    wounds: int
    cause: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.wounds, who.fell = self.wounds, 0

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is not incapacitated and has {self.wounds} wounds left ({self.cause})."


@dataclass(frozen=True)
class OrderChanged(Event):
    """The operative's order changes outside the beginning of its activation."""

    operative: str
    order: OrderName
    cause: str

    def apply(self, state: State) -> None:
        state.operatives[self.operative].order = self.order

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} changes its order to {self.order.title()} ({self.cause})."


@dataclass(frozen=True)
class Incapacitated(Event):
    operative: str
    by: str

    def apply(self, state: State) -> None:
        """Its wounds say it already; what lasts until then ends."""
        state.effects = [e for e in state.effects if not (e.by == self.operative and e.ends_at("incapacitated"))]

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is incapacitated."


@dataclass(frozen=True)
class Removed(Event):
    operative: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.is_removed, who.is_ready, who.fell = True, False, 0
        state.effects = [effect for effect in state.effects if effect.target != self.operative]

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is removed from the killzone."


@dataclass(frozen=True)
class MarkerTaken(Event):
    marker: str
    operative: str

    def apply(self, state: State) -> None:
        found = state.markers[self.marker]
        found.carrier = self.operative
        found.controller = state.operatives[self.operative].side

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} picks up {names(self.marker)}."


@dataclass(frozen=True)
class MarkerPlaced(Event):
    marker: str
    operative: str
    point: Point

    def apply(self, state: State) -> None:
        found = state.markers[self.marker]
        found.carrier = None
        found.x, found.y, found.level = self.point

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} places {names(self.marker)}."


@dataclass(frozen=True)
class MarkerAppeared(Event):
    """A marker that was not there comes into play; *told* says it, with the marker as {0} and its carrier as {1}."""

    marker: str
    kind: str
    point: Point
    radius: int
    can_be_picked_up: bool = False
    carrier: str | None = None
    owner: Side | None = None
    told: str = "{0} comes into play."

    def apply(self, state: State) -> None:
        controller = None if self.carrier is None else state.operatives[self.carrier].side
        marker = MarkerState(self.marker, self.kind, *self.point, self.radius, self.can_be_picked_up)
        marker.carrier, marker.controller, marker.owner = self.carrier, controller, self.owner
        state.markers[self.marker] = marker

    def words(self, names: Names) -> str:
        told = self.told.replace("{0}", names(self.marker))
        return told.replace("{1}", names(self.carrier)) if self.carrier else told


@dataclass(frozen=True)
class MarkerGone(Event):
    """A marker leaves the game; what makes it leave is told by itself."""

    marker: str

    def apply(self, state: State) -> None:
        del state.markers[self.marker]


@dataclass(frozen=True)
class MarkerTokenSet(Event):
    """The marker now has *count* of a token; *told* says so in the log."""

    marker: str
    token: str
    count: int
    told: str = ""

    def apply(self, state: State) -> None:
        tokens = state.markers[self.marker].tokens
        tokens.pop(self.token, None)
        if self.count:
            tokens[self.token] = self.count

    def words(self, names: Names) -> str:
        return self.told.replace("{0}", names(self.marker))


@dataclass(frozen=True)
class TokenChanged(Event):
    """The operative has *amount* more (or fewer) of a token. *told* says what that means, the operative being {0};
    empty: something else does."""

    operative: str
    token: str
    amount: int
    told: str | None = None

    def apply(self, state: State) -> None:
        tokens = state.operatives[self.operative].tokens
        tokens[self.token] = tokens.get(self.token, 0) + self.amount
        if not tokens[self.token]:
            del tokens[self.token]

    def words(self, names: Names) -> str:
        if self.told is not None:
            return self.told.replace("{0}", names(self.operative))
        verb, count = "gains" if self.amount > 0 else "loses", abs(self.amount)
        noun = f"a {self.token} token" if count == 1 else f"{count} {self.token} tokens"
        return f"{names(self.operative)} {verb} {noun}."


@dataclass(frozen=True)
class ControlChanged(Event):
    """Who controls a marker after the action that has just ended (KT24-MARKER)."""

    marker: str
    controller: Side | None

    def apply(self, state: State) -> None:
        state.markers[self.marker].controller = self.controller

    def words(self, names: Names) -> str:
        who = names(self.controller) if self.controller else "Nobody"
        return f"{who} controls {names(self.marker)} now."
