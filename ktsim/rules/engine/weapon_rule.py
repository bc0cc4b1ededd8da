"""What a printed weapon rule may do, and finding rules from their printed text.

A weapon rule is one small frozen class that overrides only the hooks its text talks about. A registry (one per
edition) turns printed text such as ``Piercing Crits 1`` or ``Heavy (Dash only)`` into an instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from ktsim.content.weapon_rule_forms import Printed, read
from ktsim.errors import Problem, UserError
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.values import Reasoned

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle
    from ktsim.rules.engine.dice import Dice, Hand, Reroll
    from ktsim.rules.engine.events import Event
    from ktsim.rules.engine.fight.stages import Duel
    from ktsim.rules.engine.state import OperativeState


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

    def forbids_use(self, battle: Battle, operative: OperativeState, weapon: str) -> str | None:
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

    def discarding(self, hand: Hand, failed: tuple[int, ...]) -> Steps[None]:
        """What happens as the *failed* attack dice are discarded."""
        yield from ()

    def retaining(self, hand: Hand) -> Steps[Hand]:
        """Change what is retained, asking its player where the rule says *can*."""
        return hand
        yield  # pragma: no cover - makes this a generator

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
        """Whether smoke takes the rule away (KT24-SMOKE)."""
        return False

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

    def struck(self, duel: Duel, index: int, number: int) -> tuple[Duel, list[Event]]:
        """What the critical strike of fighter *index* does besides its damage; *number* counts up to
        ``strikes_counted`` and is 0 for rules that tell none apart."""
        return duel, []

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


R = TypeVar("R", bound=type[WeaponRule])


REGISTRIES: dict[str, Registry] = {}
"""By edition."""


class Registry:
    """The weapon rules of one edition, by printed text."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        REGISTRIES[edition] = self
        self._classes: dict[str, type[WeaponRule]] = {}
        self._known: dict[str, WeaponRule] = {}

    def add(self, id: str, form: str) -> Callable[[R], R]:
        """Register a class under its printed form (see ``ktsim.content.weapon_rule_forms``)."""

        def register(cls: R) -> R:
            cls.id = id
            self._classes[form] = cls
            return cls

        return register

    def take(self, id: str, form: str, shared: type[WeaponRule]) -> None:
        """Register a rule that other editions have too, as a class of its own so that each has its id."""
        self.add(id, form)(type(shared.__name__, (shared,), {"__doc__": shared.__doc__, "__module__": __name__}))

    @property
    def forms(self) -> list[str]:
        return list(self._classes)

    def find(self, text: str) -> WeaponRule | None:
        """The rule printed as *text*, if there is one."""
        found = read(text, self._classes)
        return None if isinstance(found, str) else self._made(found)

    def form_of(self, text: str) -> str:
        """The form a known rule printed as *text* is registered under."""
        found = read(text, self._classes)
        assert isinstance(found, Printed), f"{text} is no weapon rule of {self.edition}"
        return found.form

    def parse(self, text: str) -> WeaponRule:
        """The rule printed as *text*; raises :class:`UserError` naming what would be right."""
        if text not in self._known:
            found = read(text, self._classes)
            if isinstance(found, str):
                raise UserError(Problem("", found))
            self._known[text] = self._made(found)
        return self._known[text]

    def _made(self, printed: Printed) -> WeaponRule:
        return self._classes[printed.form](*printed.values, text=printed.text)

    def parse_all(self, texts: Iterable[str]) -> tuple[WeaponRule, ...]:
        """Every rule of *texts*; the same text twice helps once, unless such rules add up."""
        return distinct(map(self.parse, texts))


def distinct(rules: Iterable[WeaponRule]) -> tuple[WeaponRule, ...]:
    """*rules* without those that help no more for being there twice."""
    found: list[WeaponRule] = []
    for rule in rules:
        if rule.adds_up or rule not in found:
            found.append(rule)
    return tuple(found)
