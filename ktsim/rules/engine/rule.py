"""A rule in force during a game: a killzone's, a team's, a mission's. Hooks do nothing unless overridden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.attack import Attack, Hand, Ward, WeaponRule
from ktsim.rules.engine.cards import Ploy, Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.precedence import Claim
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import MarkerState, OperativeState, OrderName, Path, Point, Side
from ktsim.rules.engine.table import MoveRequest, TargetRuling
from ktsim.rules.engine.values import Reasoned

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle


@dataclass(frozen=True)
class Gambit:
    """A strategic gambit on offer (KT24-GAMBIT): shown with its *refusal* when it cannot be used now.

    *perform* is the procedure that using it starts; it is only created when the gambit is chosen. A *secret* gambit
    tells something only its side may know; one that *is_due* must be used before its side may pass.
    """

    key: str
    text: str
    perform: Callable[[], Steps[None]] = field(compare=False)
    refusal: str | None = None
    rule: str = "KT24-GAMBIT"
    secret: bool = False
    is_due: bool = False
    source: Any = field(default=None, compare=False)
    """The text it comes from, in the language of team rules: what it does, as values."""


MOMENTS = {
    "activated": "{0} is activated",
    "counteracts": "{0} counteracts",
    "weapon chosen": "{0} is about to select its target",
    "targeted": "{0} is about to shoot {1}",
    "shot begins": "{0} is about to roll attack dice against {1}",
    "attack rolled": "{0} has rolled its attack dice against {1}",
    "attack retained": "{1} is about to roll its defence dice against {0}",
    "defence rolled": "{1} has rolled its defence dice against {0}",
    "has shot": "{0} has shot",
    "fought": "{0} is about to fight {1}",
    "fight begins": "{0} is about to fight {1}",
    "fight rolled": "{0} and {1} have rolled their attack dice",
    "has fought": "{0} has fought {1}",
    "action begins": "{0} is about to perform an action",
    "action ended": "{0} has performed an action",
    "incapacitated": "{0} is incapacitated",
    "activation ended": "{0} is expended",
}
"""Every kind of moment, as the question words it: {0} is who it is about, {1} the other operative."""


@dataclass
class Moment:
    """One moment. An offer that is used may replace *shot* or *duel*, and before a sequence the *other* operative: it
    goes on with what is there then. *weapon* is the one used, *action* the one performed; before it begins an offer
    may take it away, and then it is not performed. It costs *ap*."""

    kind: str
    who: OperativeState
    other: OperativeState | None = None
    shot: Shot | None = None
    duel: Duel | None = None
    weapon: Profile | None = None
    action: Action | None = None
    ap: int = 0
    used: set[str] = field(default_factory=set)
    """The keys of what was used at it: a rule comes up once at a moment."""
    begins: list[Callable[[], Steps[None]]] = field(default_factory=list)
    """Before an action: what was used and begins to hold with it, as in :meth:`Rule.action_holds`."""

    def words(self) -> str:
        return MOMENTS[self.kind].format(self.who.name, self.other.name if self.other else "nobody")


@dataclass(frozen=True)
class Offer:
    """Something *side* may use now."""

    key: str
    text: str
    side: Side
    use: Callable[[], Steps[None]] = field(compare=False)
    source: Any = field(default=None, compare=False)
    """The text it comes from, in the language of team rules: what it does, as values."""


class Draw(NamedTuple):
    """A place worth being at: *worth* VP to whoever is within *contact* inches of it."""

    point: Point
    worth: float
    contact: float
    name: str


class Rule:
    """Override only the hooks the printed rule talks about."""

    id: ClassVar[str] = ""
    name: ClassVar[str] = ""
    says_cannot: ClassVar[bool] = False
    """Whether what it says is a *cannot*: such rules are heard last, whoever's they are, and so prevail (KT24-PREC)."""

    def answers(self, hook: str) -> bool:
        """Whether the rule has something to say in *hook*; a rule that is a value says it from what it holds."""
        return getattr(type(self), hook) is not getattr(Rule, hook)

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        """Change *stat* of an operative.

        ``apl``, ``move``, ``save``, ``hit``; ``ap:Fall Back`` is what an action costs it, ``repeat:Shoot`` how often
        more than once it may perform one, ``cover saves`` what it may retain in cover, ``counteract move`` how far it
        may move when it counteracts, ``counteract actions`` how many different actions it may perform then.
        """
        return number

    def injured(self, battle: Battle, who: OperativeState) -> Claim | None:
        """Whether the rule has the operative count as injured, or says that it cannot be."""
        return None

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        """What the rule says about the operative performing *action* now."""
        return None

    def weapon_rules(self, battle: Battle, who: OperativeState, weapon: Profile) -> tuple[str, ...]:
        """Weapon rules the weapon has as well, as printed."""
        return ()

    def weapon_texts(
        self,
        battle: Battle,
        who: OperativeState,
        weapon: Profile,
        target: OperativeState | None,
        ruling: TargetRuling | None,
        texts: list[str],
    ) -> list[str]:
        """The weapon rules *texts* the weapon has (against *target*, seen so), as this rule leaves them."""
        return texts

    def texts_touched(self) -> tuple[str, ...] | None:
        """All that :meth:`weapon_texts` may ever add or take away (that by its name), so that nobody need ask it about
        others; ``None``: anything."""
        return None

    def forbids_weapon(self, battle: Battle, who: OperativeState, weapon: Profile) -> str | None:
        """Why the operative cannot use the weapon now."""
        return None

    def weapon_ap(self, battle: Battle, who: OperativeState, weapon: Profile) -> int:
        """AP that using the weapon costs beyond the action's own."""
        return 0

    def waives(self, battle: Battle, who: OperativeState, action: Action, bar: str) -> bool:
        """Whether the operative may perform *action* in spite of *bar*: ``conceal``, ``control range``, or ``after``
        and the action it came after."""
        return False

    def forbids_activation(self, battle: Battle, who: OperativeState) -> bool:
        """Whether the operative cannot be activated now, though it is ready."""
        return False

    def forbids_order(self, battle: Battle, who: OperativeState, order: OrderName) -> bool:
        """Whether the operative cannot be given the order."""
        return False

    def more_equipment(self, battle: Battle, side: Side, types: Sequence[str]) -> int:
        """How many equipment options more a side selects that has operatives of these datacards."""
        return 0

    def may_counteract(self, battle: Battle, who: OperativeState) -> bool:
        """Whether the operative may counteract on whatever order it has."""
        return False

    def control_apl(self, battle: Battle, who: OperativeState, marker: MarkerState, apl: int) -> int:
        """What the operative counts as for the control of a marker it contests."""
        return apl

    def save_in_cover(
        self, battle: Battle, target: OperativeState, cover_from: Sequence[str], number: Reasoned
    ) -> Reasoned:
        """Change the Save of a target in cover from parts named ``feature/part``."""
        return number

    def forbids_retaliation(self, battle: Battle, who: OperativeState) -> bool:
        """Whether the operative cannot retaliate when it is fought against."""
        return False

    def last_action(self, battle: Battle, who: OperativeState) -> Action | None:
        """An action the operative may perform for free when it is incapacitated, before it is removed."""
        return None

    def counts_for_kills(self, battle: Battle, who: OperativeState) -> bool:
        """Whether the operative counts for the kill op, as far as this rule is concerned."""
        return True

    # -- what the rule brings ------------------------------------------------------------------------

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        """Actions the operative can perform besides its edition's. Conditions are the action's own refusals."""
        return ()

    def weapons(self, battle: Battle, who: OperativeState) -> Sequence[Profile]:
        """Weapons the operative has besides those of its datacard."""
        return ()

    def weapon_rules_against(
        self, battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState
    ) -> tuple[str, ...]:
        """Weapon rules the weapon has against this target only, as printed."""
        return ()

    def gambits(self, battle: Battle, side: Side) -> Sequence[Gambit]:
        """Strategic gambits of *side*."""
        return ()

    def ploy_cost(self, battle: Battle, side: Side, ploy: Ploy, cost: int) -> int:
        """What the ploy costs *side* now, in CP."""
        return cost

    def may_carry_both(self, battle: Battle, who: OperativeState, carried: MarkerState, other: MarkerState) -> bool:
        """Whether the operative, carrying one marker, may carry the other one as well."""
        return False

    def retaliates_first(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> bool:
        """Whether *enemy*, fought by *who*, resolves the first success."""
        return False

    def shoots_past_friends(self, battle: Battle, who: OperativeState, target: OperativeState) -> bool:
        """Whether friends within the control range of *target* do not keep *who* from selecting it."""
        return False

    def may_pick_up(self, battle: Battle, who: OperativeState, marker: MarkerState) -> bool:
        """Whether the operative may pick up the marker, as far as this rule is concerned."""
        return True

    def refuses_marker_at(self, battle: Battle, marker: MarkerState, point: Point) -> str | None:
        """Why the marker cannot be placed there, as far as this rule is concerned."""
        return None

    def support_distance(self, battle: Battle, who: OperativeState, inches: float) -> float:
        """Change a SUPPORT distance of *who*, in inches."""
        return inches

    def within(self, battle: Battle, who: OperativeState, action: Action) -> Sequence[Action]:
        """Actions the operative may perform in the middle of *action*, a move."""
        return ()

    def move_request(self, battle: Battle, who: OperativeState, action: Action, request: MoveRequest) -> MoveRequest:
        """Change what *action*, a move, lets the operative do."""
        return request

    def relocates(self, battle: Battle, who: OperativeState, action: Action) -> Steps[bool]:
        """Ask whether the operative is removed and set up again instead of moving by *action*; whether it was."""
        return False
        yield  # pragma: no cover - makes this a generator

    def assists(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        """Whether *friend*, within *enemy*'s control range, assists although it is in another enemy's too."""
        return False

    def forbids_assist(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        """Whether *friend* cannot assist against *enemy*."""
        return False

    # -- for whoever weighs a state ------------------------------------------------------------------

    def promise(self, battle: Battle, side: Side) -> float:
        """The VP *side* may expect of what was done, beyond what the end of a turning point or the battle pays now."""
        return 0.0

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        """Places at which the operative would serve what the rule pays for."""
        return ()

    # -- shooting and fighting -----------------------------------------------------------------------

    def ruling(self, battle: Battle, who: OperativeState, target: OperativeState, ruling: TargetRuling) -> TargetRuling:
        """Change what target selection finds when *who* looks at *target*."""
        return ruling

    def shot(self, battle: Battle, attack: Attack, shot: Shot) -> Shot:
        """Change a shooting sequence before its dice are rolled."""
        return shot

    def guards(self, battle: Battle, attack: Attack) -> tuple[WeaponRule, ...]:
        """Rules that the target of a shooting attack has for its defence dice."""
        return ()

    def hand(self, battle: Battle, attack: Attack, hand: Hand) -> Hand:
        """Change the attack dice of one operative before they are rolled."""
        return hand

    def wards(self, battle: Battle, target: OperativeState, enemy: OperativeState, while_: str) -> tuple[Ward, ...]:
        """What lessens the damage of *enemy*'s dice to *target*, *while_* it is ``shot-at``, ``fighting`` or
        ``retaliating``."""
        return ()

    def duel(self, battle: Battle, who: OperativeState, enemy: OperativeState, duel: Duel) -> Duel:
        """Change a fight of *who* against *enemy* before its dice are rolled."""
        return duel

    # -- windows -------------------------------------------------------------------------------------

    moments: ClassVar[tuple[str, ...]] = ()
    """The kinds of moment (``MOMENTS``) at which the rule has something to offer."""

    def offers(self, battle: Battle, moment: Moment) -> Sequence[Offer]:
        """What a player may use at *moment*, such as a firefight ploy. Only what is usable and can be paid for."""
        return ()

    # -- moments -------------------------------------------------------------------------------------

    def ready_step(self, battle: Battle) -> Steps[None]:
        """What happens in the Ready step, once everybody is ready."""
        yield from ()

    def gambit_step(self, battle: Battle) -> Steps[None]:
        """What happens as the Gambit step begins."""
        yield from ()

    def activation_begins(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """What happens as an activation or counteraction begins, its order chosen."""
        yield from ()

    def action_shows(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        """What everybody comes to know as an action is about to be performed, for free or not."""
        yield from ()

    def action_begins(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        """What happens just before an action is performed, and has happened though that should be cancelled."""
        yield from ()

    def action_holds(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        """What begins to hold as an action begins: part of it, so that it is cancelled with it (KT24-CANCEL)."""
        yield from ()

    def moved(self, battle: Battle, who: OperativeState, path: Path) -> Steps[None]:
        """What happens as an operative has moved, during its action. *path* begins where it stood."""
        yield from ()

    def walked(self, battle: Battle, who: OperativeState, cost: int, allowance: int) -> Steps[None]:
        """What is remembered of a move: the inches it came to, and how many it might have been."""
        yield from ()

    def set_up_again(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """What happens as an operative is set aside and returned to the table, during an action."""
        yield from ()

    def teleport(self, battle: Battle, who: OperativeState, to: Point) -> Steps[None]:
        """Set the operative up at *to* instead of moving it (``MoveVerdict.teleports``)."""
        yield from ()

    def action_ends(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        """What happens after an action that was not cancelled, once the incapacitated are removed; after one performed
        within another (``battle.is_amid``) they are not yet.

        *who* may have been removed itself.
        """
        yield from ()

    def activation_ends(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """What happens as an activation or counteraction ends."""
        yield from ()

    def fought(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> Steps[None]:
        """What happens after *who* has fought *enemy*, before anybody is removed."""
        yield from ()

    def sequence_ends(self, battle: Battle, attack: Attack) -> Steps[None]:
        """What happens after each shooting sequence, before anybody is removed."""
        yield from ()

    def would_fall(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """What happens as an operative would be incapacitated: it may keep wounds after all."""
        yield from ()

    def expended(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """What happens once an activation is over, before the opponent's turn."""
        yield from ()

    def firefight_begins(self, battle: Battle) -> Steps[None]:
        """What happens as the Firefight phase begins."""
        yield from ()

    def firefight_ends(self, battle: Battle) -> Steps[None]:
        """What happens as the Firefight phase ends."""
        yield from ()

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        """What happens as an operative is incapacitated, before it is removed. *by* is an operative or empty."""
        yield from ()

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        """What happens at the end of a turning point."""
        yield from ()

    def battle_ends(self, battle: Battle) -> Steps[None]:
        """What happens at the end of the battle, after the last turning point has ended."""
        yield from ()
