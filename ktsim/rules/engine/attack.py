"""An attack: who makes it with which weapon, the dice in hand, and what a printed weapon rule may do to them.

A weapon rule is one small frozen class that overrides only the hooks its text talks about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple

from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.state import OperativeState, Side, State
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.values import Reasoned


class Cites(NamedTuple):
    """The ids under which an edition has the rules that every edition has."""

    dice: str = ""
    reroll: str = ""
    block: str = ""
    stats: str = ""
    injured: str = ""
    support: str = ""
    passing: str = ""
    ploys: str = ""
    target: str = ""
    cancel: str = ""
    set_up: str = ""


UNCITED = Cites()


class Die(NamedTuple):
    """A rolled die. It is re-rolled at most once (KT24-REROLL)."""

    face: int
    is_rerolled: bool = False


Dice = tuple[Die, ...]


def open_faces(dice: Dice) -> list[int]:
    """The results among dice that may still be re-rolled, lowest first."""
    return sorted({die.face for die in dice if not die.is_rerolled})


class Reroll(NamedTuple):
    """A re-roll on offer: of one die showing *face*, of all that show it, or of so many of those (*part*).

    One that *is_spent* can be made once; where it *takes_all* for one result only: more of the dice that show it may
    follow after a look at the first ones (KT24-REROLL).
    """

    rule: str
    face: int
    takes_all: bool
    is_spent: bool
    part: int = 0

    @property
    def key(self) -> str:
        return f"{self.rule} x{self.part} {self.face}" if self.part else f"{self.rule} {self.face}"

    @property
    def text(self) -> str:
        which = f"{self.part} of the {self.face}s" if self.part else f"{'every' if self.takes_all else 'a'} {self.face}"
        return f"{self.rule}: re-roll {which}"

    def is_left(self, used: Sequence[str]) -> bool:
        """Whether it may still be made after those *used*."""
        if self.rule in used:
            return False
        chosen = f"{self.rule} "
        return not self.takes_all or all(name == f"{chosen}{self.face}" for name in used if name.startswith(chosen))

    def used_after(self, used: tuple[str, ...]) -> tuple[str, ...]:
        """Those *used* once it is made as well."""
        name = f"{self.rule} {self.face}" if self.takes_all else self.rule
        return (*used, name) if self.is_spent and name not in used else used


class Hand(NamedTuple):
    """One operative's attack dice in a sequence, against *target*.

    *in_hand* dice are being re-rolled, *unrolled* ones were retained without rolling (Accurate). Once retained,
    only the numbers of critical and normal successes matter: *normals* counts all normal ones, *fixed* those among
    them that are retained already as something (Accurate, Punishing) and so cannot be retained as critical. *verb* is
    what the operative does to its target.
    """

    side: Side
    operative: str
    target: str
    atk: int
    hit: int
    normal: int
    critical: int
    rules: tuple[WeaponRule, ...] = ()
    is_obscured: bool = False
    bystanders: tuple[tuple[str, int], ...] = ()
    unrolled: int = 0
    dice: Dice = ()
    in_hand: int = 0
    used: tuple[str, ...] = ()
    crits: int = 0
    normals: int = 0
    fixed: int = 0
    fails: int = 0
    has_severe: bool = False
    name: str = ""
    target_name: str = ""
    cites: Cites = UNCITED
    verb: str = "attacks"
    weapon: str = ""

    @property
    def who(self) -> str:
        """What prompts call the operative."""
        return self.name or self.operative

    @property
    def whom(self) -> str:
        """What prompts call its target."""
        return self.target_name or self.target

    @property
    def critical_on(self) -> int:
        """The lowest success that is critical: 6 unless a rule says less."""
        return min((rule.critical_on() for rule in self.rules), default=6)

    @property
    def backlash(self) -> int:
        """What each retained critical success inflicts at once on the operative itself: it is a bystander of its own
        weapon when it stands near enough to its target."""
        return sum(amount for id, amount in self.bystanders if id == self.operative)

    def alone(self, operative: str, target: str) -> Hand:
        """The hand of *operative* against *target* with no other bystanders, and no other names."""
        bystanders = ((operative, self.backlash),) if self.backlash else ()
        return self._replace(
            operative=operative,
            target=target,
            bystanders=bystanders,
            name="",
            target_name="",
            verb="attacks",
            weapon="",
        )

    @property
    def successes(self) -> int:
        return self.crits + self.normals

    @property
    def has_rolled_critical(self) -> bool:
        """A critical success retained that Severe did not make."""
        return self.crits > 0 and not self.has_severe


Hands = tuple[Hand, Hand]
"""Of the two who fight each other."""


def discarding(hands: Hands, index: int, kind: str) -> Hands:
    """The two hands with one success of that kind (``normal`` or ``critical``) fewer in one of them."""
    hand = hands[index]
    left = hand._replace(normals=hand.normals - 1) if kind == "normal" else hand._replace(crits=hand.crits - 1)
    return (left, hands[1]) if index == 0 else (hands[0], left)


class Saves(NamedTuple):
    """What a target has retained of its defence dice, who it is, the CP its player may spend, the results that
    *failed*, the rules *used* up, how many successes were *rolled*, and how many normal ones are *fixed*: retained
    already, as cover saves are, and so not to be retained as critical."""

    side: Side
    normals: int
    crits: int
    fails: int
    operative: str = ""
    cp: int = 0
    failed: tuple[int, ...] = ()
    used: tuple[str, ...] = ()
    rolled: int = 0
    fixed: int = 0


class Ward(NamedTuple):
    """What lessens the damage of attack dice, one die at a time.

    It is about dice that are *only* normal or critical and would inflict *at_least* so much; with *on* it takes a D6 of
    so much, with *asks* its player may do without, and *is_once* says that it helps against one die only; *is_first*:
    against the first one it is about, and if it was let pass against none. The damage
    becomes less *by* so much, half of it, or *to* so much, never under *least*; *is_blunting* has a critical success
    inflict normal damage. Using it costs *cp*, and *events* happen then; it does not help where *not_with* has.
    """

    name: str
    only: Literal["", "normal", "critical"] = ""
    at_least: int = 0
    on: int = 0
    by: int = 0
    halves: bool = False
    to: int | None = None
    least: int = 0
    is_blunting: bool = False
    is_once: bool = False
    asks: bool = False
    cp: int = 0
    events: tuple[Event, ...] = ()
    not_with: str = ""
    is_first: bool = False

    def concerns(self, kind: str, damage: int) -> bool:
        return self.only in ("", kind) and damage >= max(1, self.at_least)

    def lessened(self, damage: int, normal: int) -> int:
        """What is left of the *damage* of one die; *normal* is what a normal success inflicts."""
        left = min(damage, normal) if self.is_blunting else damage - self.by
        if self.halves:
            left = (damage + 1) // 2
        if self.to is not None:
            left = min(damage, self.to)
        return min(damage, max(self.least, left, 0))


@dataclass(frozen=True)
class WeaponRule:
    """Hooks of a weapon rule; each does nothing unless overridden. *text* is how the rule is printed."""

    id: ClassVar[str] = ""
    only: ClassVar[Literal["", "ranged", "melee"]] = ""
    """The kind of attack it speaks of, when it speaks of one kind only (2021)."""
    strikes_counted: ClassVar[int] = 0
    """How many critical strikes of one fight :meth:`struck` tells apart."""
    adds_up: ClassVar[bool] = False
    """Whether the same rule twice is more than once."""
    text: str = field(default="", kw_only=True)

    # -- choosing weapon and target ------------------------------------------------------------------

    def forbids_use(self, state: State, operative: OperativeState, weapon: str) -> str | None:
        """Why the weapon cannot be used now."""
        return None

    def forbids_move(self, action: str) -> str | None:
        """Why the operative cannot perform move *action* after using the weapon in this activation."""
        return None

    def forbids_target(self, distance: float) -> str | None:
        """Why a target at *distance* inches cannot be selected."""
        return None

    @property
    def is_silent(self) -> bool:
        """Whether the weapon may be used to Shoot on a Conceal order."""
        return False

    @property
    def extra_ap(self) -> int:
        """How many AP beyond the action's own it takes to shoot with the weapon."""
        return 0

    @property
    def forbids_overwatch(self) -> bool:
        """Whether the weapon cannot be used for Overwatch (2021)."""
        return False

    @property
    def limit(self) -> int | None:
        """How often the weapon can be used in a battle."""
        return None

    @property
    def sight_words(self) -> tuple[str, ...]:
        """What target selection has to know, as ``ktsim.sight`` words it."""
        return ()

    # -- the attack dice -----------------------------------------------------------------------------

    def unrolled(self) -> int:
        """How many attack dice may be retained as normal successes without rolling."""
        return 0

    def critical_on(self) -> int:
        """The lowest success that counts as critical."""
        return 6

    def rerolls(self, dice: Dice) -> list[Reroll]:
        """The re-rolls this rule offers for *dice*, used or not."""
        return []

    @property
    def unrerollable(self) -> int:
        """A result that may not be re-rolled; 0 for none."""
        return 0

    def discarding(self, hand: Hand, failed: tuple[int, ...]) -> Steps[None]:
        """What happens as the *failed* attack dice are discarded."""
        yield from ()

    def retaining(self, hand: Hand) -> Steps[Hand]:
        """Change what is retained, asking its player where the rule says *can*."""
        return hand
        yield  # pragma: no cover - makes this a generator

    def defending(self, saves: Saves) -> Steps[Saves]:
        """Change what the target retains of its defence dice, asking its player where the rule says *can*."""
        return saves
        yield  # pragma: no cover - makes this a generator

    def unrolled_saves(self) -> int:
        """How many defence dice its target may retain as normal successes without rolling, cover saves aside."""
        return 0

    def critical_damage(self) -> int:
        """Damage each retained critical success inflicts at once."""
        return 0

    @property
    def reap(self) -> int:
        """What others near a critical strike suffer (2021)."""
        return 0

    @property
    def splash(self) -> float | None:
        """Within how many inches of the target others suffer ``critical_damage`` too."""
        return None

    @property
    def stuns(self) -> bool:
        return False

    # -- the other side ------------------------------------------------------------------------------

    def defence_dice(self, hand: Hand, number: Reasoned) -> Reasoned:
        return number

    @property
    def is_piercing(self) -> bool:
        """Whether smoke takes the rule away or blunts it (KT24-SMOKE)."""
        return False

    def blunted(self) -> WeaponRule:
        """What the rule counts as where smoke blunts it (KT24-SMOKE)."""
        return self

    def cover_saves(self, number: int) -> int:
        return number

    @property
    def is_brutal(self) -> bool:
        """Whether the opponent blocks with critical successes only."""
        return False

    @property
    def bars_normals(self) -> bool:
        """Whether the opponent cannot even try to block with normal successes (2021's Brutal)."""
        return False

    def struck(self, hands: Hands, index: int, number: int) -> tuple[Hands, list[Event]]:
        """What the critical strike of fighter *index* does besides its damage; *number* counts up to
        ``strikes_counted`` and is 0 for rules that tell none apart."""
        return hands, []

    # -- around the sequence -------------------------------------------------------------------------

    @property
    def blast(self) -> float | None:
        """Within how many inches of the primary target everybody else is shot as well."""
        return None

    @property
    def torrent(self) -> float | None:
        """Within how many inches of the primary target further valid targets may be chosen."""
        return None

    @property
    def divides(self) -> float | None:
        """Within how many inches of the first target others may be chosen to divide the attack dice (2021)."""
        return None

    @property
    def comes_from_above(self) -> bool:
        """Whether terrain overhead decides about the cover save (2021)."""
        return False

    @property
    def is_hot(self) -> bool:
        return False


Rules = tuple[WeaponRule, ...]
PLAIN = TargetRuling()
"""Nothing is in between."""


@dataclass(frozen=True)
class Attack:
    """Who attacks whom with which weapon: the rules it is made with, the Hit of the whole action, and what target
    selection found (in a fight nothing is in between)."""

    who: OperativeState
    weapon: Profile
    rules: Rules
    hit: Reasoned
    target: OperativeState
    ruling: TargetRuling = PLAIN
    had: Rules | None = None
    """The rules the weapon had as those of the attack were settled; others may have come since."""
