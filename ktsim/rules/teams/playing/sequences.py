"""What team rules bring into a shooting or fight sequence, as values that odds read too."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.rules.engine.attack import Dice, Hand, Reroll, Saves, Ward, WeaponRule, open_faces
from ktsim.rules.engine.decisions import Steps, confirm
from ktsim.rules.engine.events import Event, Told
from ktsim.rules.teams.language.values import Term
from ktsim.rules.teams.playing.conditions import compared

TEAM = "TEAM"


@dataclass(frozen=True)
class GivenReroll(WeaponRule):
    """So many dice may be re-rolled: one, two, or any; all of one result where *of_one_result*."""

    adds_up = True
    count: int = 1
    of_one_result: bool = False
    result: int = 0

    def rerolls(self, dice: Dice) -> list[Reroll]:
        faces = [face for face in open_faces(dice) if self.result in (0, face)]
        if self.of_one_result:
            return [Reroll(self.text, face, True, True) for face in faces]
        if self.count == 0:
            return [Reroll(self.text, face, False, False) for face in faces]
        names = [self.text, *(f"{self.text}, number {n}" for n in range(2, self.count + 1))]
        return [Reroll(name, face, False, True) for name in names for face in faces]


@dataclass(frozen=True)
class GivenSave(WeaponRule):
    """So many defence dice are retained as normal successes without rolling."""

    adds_up = True
    dice: int = 1

    def unrolled_saves(self) -> int:
        return self.dice


@dataclass(frozen=True)
class GivenCritical(WeaponRule):
    """Successes from this number on are critical."""

    adds_up = True
    number: int = 6

    def critical_on(self) -> int:
        return self.number


@dataclass(frozen=True)
class KeptResult(WeaponRule):
    """Dice with this result cannot be re-rolled."""

    adds_up = True
    number: int = 0

    @property
    def unrerollable(self) -> int:
        return self.number


@dataclass(frozen=True)
class Conversion(WeaponRule):
    """One die is retained as something better: a fail as a success, a normal success as a critical one, a defence die
    with a *result* that would fail as a success.

    *needs* are conditions about the dice (``fails``, ``criticals``, ``successes``), *discards* says that one more fail
    is discarded for it. Using it costs *cp*, and *events* happen once it is used.
    """

    adds_up = True
    what: str = "fail"
    becomes: str = "normal"
    result: int = 0
    needs: tuple[Term, ...] = ()
    discards: bool = False
    cp: int = 0
    events: tuple[Event, ...] = ()
    is_either: bool = False
    """Whether it is one of two of which one may be used."""
    is_any: bool = False
    """Whether normal successes that were retained without rolling will do."""

    def can(self, normals: int, crits: int, fails: int, fixed: int, rolled: int = 0) -> bool:
        """Whether there is such a die; *fixed* normal successes are retained already."""
        counts = {"fails": fails, "criticals": crits, "successes": normals + crits}
        wanted = normals > fixed if self.what == "normal" else fails >= (2 if self.discards else 1)
        return wanted and all(
            compared(rolled if term.get("rolled") else counts[term.word], str(term.main)) for term in self.needs
        )

    def changed(self, normals: int, crits: int, fails: int) -> tuple[int, int, int]:
        if self.what == "normal":
            normals -= 1
        else:
            fails -= 2 if self.discards else 1
        return (normals + 1, crits, fails) if self.becomes == "normal" else (normals, crits + 1, fails)

    def prompt(self) -> str:
        what = (
            f"a result of {self.result}" if self.result else "a normal success" if self.what == "normal" else "a fail"
        )
        return f"{self.text}: retain {what} as a {self.becomes} success?"

    def retaining(self, hand: Hand) -> Steps[Hand]:
        if self.is_either and self.text in hand.used:
            return hand
        if self.cp or not self.can(hand.normals, hand.crits, hand.fails, 0 if self.is_any else hand.fixed):
            return hand
        if not (yield from confirm(hand.side, "convert", self.prompt(), obvious=True)):
            return hand
        yield from self.events
        yield Told(f"{self.text}: {{0}} retains a die as a {self.becomes} success.", TEAM, (hand.operative,))
        normals, crits, fails = self.changed(hand.normals, hand.crits, hand.fails)
        fixed = hand.fixed + 1 if self.becomes == "normal" else min(hand.fixed, normals)
        used = (*hand.used, self.text) if self.is_either else hand.used
        return hand._replace(normals=normals, crits=crits, fails=fails, fixed=fixed, used=used)

    def defending(self, saves: Saves) -> Steps[Saves]:
        fixed = 0 if self.is_any else saves.fixed
        if self.cp > saves.cp or not self.can(saves.normals, saves.crits, saves.fails, fixed, saves.rolled):
            return saves
        if (self.result and self.result not in saves.failed) or (self.is_either and self.text in saves.used):
            return saves
        is_free = not self.cp
        if not (yield from confirm(saves.side, "convert", self.prompt(), default=is_free, obvious=is_free)):
            return saves
        yield from self.events
        yield Told(f"{self.text}: {{0}} retains a die as a {self.becomes} success.", TEAM, (saves.operative,))
        normals, crits, fails = self.changed(saves.normals, saves.crits, saves.fails)
        used = (*saves.used, self.text) if self.is_either else saves.used
        fixed = saves.fixed + 1 if self.becomes == "normal" else saves.fixed
        return saves._replace(normals=normals, crits=crits, fails=fails, cp=saves.cp - self.cp, used=used, fixed=fixed)


def ward_of(
    title: str, term: Term, late: tuple[Term, ...], asks: bool, once: bool, cp: int, events: tuple[Event, ...]
) -> Ward:
    """The ward an effect that lessens damage stands for; *late* are the conditions about the die."""
    only, at_least = "", 0
    for each in late:
        if each.word == "die":
            only = str(each.main)
        elif each.word == "damage":
            at_least = int(str(each.main).removeprefix(">="))
        elif each.word == "first-time":
            once = True
    on = 0
    if term.word == "roll":
        on = int(str(term.get("at")).lstrip(">="))
        inner = term.get("do")
        assert isinstance(inner, tuple)
        term = inner[0]  # type: ignore[assignment]
    ward = Ward(title, only, at_least, on, asks=asks, is_once=once, cp=cp, events=events)  # type: ignore[arg-type]
    ward = ward._replace(not_with=str(term.get("not-with") or ""))
    if term.word == "downgrade-crit":
        return ward._replace(only="critical", is_blunting=True)
    if term.get("whole"):
        return ward._replace(to=0)
    least = int(str(term.get("least") or 0))
    if term.get("halve"):
        return ward._replace(halves=True, least=least)
    if term.get("to") is not None:
        return ward._replace(to=int(str(term.get("to"))))
    return ward._replace(by=int(str(term.main)), least=least)
