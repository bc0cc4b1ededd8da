"""Who attacks whom while a shooting or fighting sequence is under way, whatever of it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ktsim.rules.engine.attack import Hand
from ktsim.rules.engine.dice import Rerolling
from ktsim.rules.engine.events import Event, Told
from ktsim.rules.engine.fight.combat import RETALIATES
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.operative_events import ActionBegan, ActionCancelled, ActionEnded
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import State

SHOOTS = "shoots"
_SHOTS = ("targeted", "shot begins", "attack rolled", "has shot")
_FIGHTS = ("fight begins", "fight rolled", "has fought")


@dataclass(frozen=True)
class AttackPair:
    """The two of a sequence, by their ids. *sight_words* are what the weapon's rules say to a ruling of a shot."""

    attacker: str
    target: str
    is_shot: bool
    sight_words: tuple[str, ...] = ()

    @property
    def pair(self) -> tuple[str, str]:
        return self.attacker, self.target


def hand_of(about: object) -> Hand | None:
    """The dice of whoever attacks in what a decision is about; ``None`` when it is no sequence."""
    if isinstance(about, Rerolling):
        return hand_of(about.sequence)
    if isinstance(about, Shot):
        return about.hand
    if isinstance(about, Duel):
        return about.hands[0]
    return about if isinstance(about, Hand) else None


def attack_of(about: object) -> AttackPair | None:
    """The attack a decision is about; ``None`` when what it is about does not say."""
    hand = hand_of(about)
    if hand is not None:
        if hand.verb == RETALIATES:
            return AttackPair(hand.target, hand.operative, False)
        words = tuple(sorted({word for rule in hand.rules for word in rule.sight_words}))
        return AttackPair(hand.operative, hand.target, hand.verb == SHOOTS, words)
    if isinstance(about, Moment) and about.other is not None and about.kind in (*_SHOTS, *_FIGHTS):
        known = attack_of(about.shot or about.duel)
        return known or AttackPair(about.who.id, about.other.id, about.kind in _SHOTS)
    return None


def attack_under_way(state: State, events: Sequence[Event]) -> AttackPair | None:
    """The attack the present action has come to as *events* tell it; ``None`` before and after one."""
    last: Told | None = None
    for event in reversed(events):
        if isinstance(event, ActionEnded | ActionCancelled):
            return None
        if isinstance(event, ActionBegan):
            break
        if last is None and isinstance(event, Told) and is_attack(event, state):
            last = event
    if last is None or not all(state.operatives[id].is_in_killzone for id in last.subjects):
        return None
    attacker, target = last.subjects
    return AttackPair(attacker, target, f" {SHOOTS} " in last.text)


def is_attack(event: Told, state: State) -> bool:
    """Whether it is told of two operatives of different sides: somebody shoots or fights somebody."""
    sides = [state.operatives[id].side for id in event.subjects if id in state.operatives]
    return len(event.subjects) == len(sides) == len(set(sides)) == 2
