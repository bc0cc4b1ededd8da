"""A saved game played again and watched: every activation, the attacks made in it with their exact odds, and how the
table stood before and after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ktsim.game.bots.commander import AttackDone
from ktsim.game.bots.estimates import Outlook, exact_shot, outlook
from ktsim.game.game import Game
from ktsim.rules.engine.attack import Attack, Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.by_hand import is_deed
from ktsim.rules.engine.decisions import Decision, Roll, Steps
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.operative_events import ActionBegan, Moved, Wounded
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Activation, OperativeState, Side, State, other
from ktsim.rules.odds.sequences import duel_damage

BEGINS = ("activate", "counteract")
"""What is asked when somebody is about to act."""
SHOOTS = "shoots"


@dataclass
class WatchedAttack:
    """An attack: both as they were before it, what was to be expected of it, and what came of it."""

    by: OperativeState
    target: OperativeState
    expected: Outlook
    feared: Outlook = field(default_factory=Outlook)
    """What *by* had to expect itself: in a fight."""
    is_shot: bool = True
    is_open: bool = False
    """Whether the target was neither in cover nor obscured."""
    inflicted: int = 0
    suffered: int = 0

    def hoped(self) -> AttackDone:
        """By its odds."""
        return AttackDone(self.by, self.target, self.expected, self.feared)

    def fallen(self) -> AttackDone:
        """As the dice fell."""
        return AttackDone(self.by, self.target, _real(self.inflicted, self.target), _real(self.suffered, self.by))


def _real(damage: int, who: OperativeState) -> Outlook:
    return Outlook(min(damage, who.wounds), float(damage >= who.wounds))


class Witness(Rule):
    """A rule that changes nothing: it is told of attacks, and of the end of activations. Heard last of all."""

    says_cannot = True

    def __init__(self) -> None:
        self.attacks: list[WatchedAttack] = []
        self.end: State | None = None
        """How the table stood at the end of the last activation, before anything followed from that."""
        self._aimed: dict[tuple[str, str], Attack] = {}
        self._is_listening = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Inside, what happens is the game and nobody's thought."""
        self._is_listening = True
        try:
            yield
        finally:
            self._is_listening = False

    def hand(self, battle: Battle, attack: Attack, hand: Hand) -> Hand:
        if self._is_listening:
            self._aimed[hand.operative, hand.target] = attack
        return hand

    def duel(self, battle: Battle, who: OperativeState, enemy: OperativeState, duel: Duel) -> Duel:
        if self._is_listening:
            one, two = (hand.alone(hand.side, other(hand.side)) for hand in duel.hands)
            bare = duel._replace(hands=(one, two), cp=(0, 0))
            mine, theirs = duel_damage(bare, battle.edition.duel_stages)
            expected, feared = outlook(theirs, enemy.wounds), outlook(mine, who.wounds)
            self.attacks.append(WatchedAttack(who.copy(), enemy.copy(), expected, feared, is_shot=False))
        return duel

    def activation_ends(self, battle: Battle, who: OperativeState) -> Steps[None]:
        if self._is_listening:
            self.end = battle.state.copy()
        yield from ()

    def asked(self, battle: Battle, decision: Decision[Any] | None) -> None:
        """A question came up; the first roll of a shot is where its odds are taken."""
        hand = decision.about if isinstance(decision, Roll) and decision.topic == "attack" else None
        if not isinstance(hand, Hand) or hand.verb != SHOOTS:
            return
        attack = self._aimed.pop((hand.operative, hand.target), None)  # a re-roll is no attack of its own
        if attack is None:
            return
        shot = battle.edition.make_shot(battle, attack)
        shot = shot._replace(hand=shot.hand._replace(atk=hand.atk))
        target = attack.target
        expected = exact_shot(shot, target.wounds, battle.edition.id)
        is_open = not attack.ruling.in_cover and not attack.ruling.is_obscured
        self.attacks.append(WatchedAttack(attack.who.copy(), target.copy(), expected, is_open=is_open))

    def happened(self, event: Event) -> None:
        """Damage belongs to the last attack its target was in."""
        if isinstance(event, Wounded):
            for each in reversed(self.attacks):
                if each.target.id == event.operative:
                    each.inflicted += event.amount
                    return
                if each.by.id == event.operative and not each.is_shot:
                    each.suffered += event.amount
                    return


@dataclass(frozen=True, eq=False)
class WatchedActivation:
    """An activation or counteraction that was played. *moment* counts the answers given before it."""

    moment: int
    turning_point: int
    side: Side
    operative: str
    name: str
    is_counteraction: bool
    end: State
    activation: Activation
    attacks: tuple[WatchedAttack, ...]
    events: tuple[Event, ...]

    @property
    def ap_unspent(self) -> int:
        """AP left at its end by somebody who lived to see it."""
        lives = not self.end.operatives[self.operative].is_incapacitated
        return max(0, self.activation.apl - self.activation.ap_spent) if lives and not self.is_counteraction else 0

    @property
    def path_ends(self) -> list[Moved]:
        return [each for each in self.events if isinstance(each, Moved) and each.operative == self.operative]

    @property
    def actions(self) -> list[str]:
        mine = [each for each in self.events if isinstance(each, ActionBegan) and each.operative == self.operative]
        return [each.action for each in mine]

    def as_if_in_vain(self, before: State) -> State:
        """The state it has come to, as if its attacks had come to nothing; *before* it is where they come from."""
        state = self.end.copy()
        for each in reversed(self.attacks):
            for was in (each.target, each.by):
                now = state.operatives[was.id]
                now.wounds, now.wounded_by, now.wounded_in = was.wounds, was.wounded_by, was.wounded_in
                now.fell = was.fell
                now.is_removed = was.is_removed
        hurt = {each.target.id for each in self.attacks} | {each.by.id for each in self.attacks}
        for marker in before.markers.values():
            fell = marker.carrier in hurt and self.end.operatives[str(marker.carrier)].is_incapacitated
            if fell and marker.id in state.markers:
                state.markers[marker.id] = marker.copy()
        state.activation = before.activation or Activation(self.operative, self.activation.kind, self.activation.apl)
        return state


class Watching:
    """Plays answers and notes what comes of them. Between two answers whoever uses it may look at :attr:`game`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.witness = Witness()
        game.battle.watched_by(self.witness)
        self.before: State | None = None
        """How the table stood before the activation under way."""
        self._begun: tuple[int, int, Side, str, bool, int] | None = None
        self.shots: list[WatchedAttack] = []
        """Every attack so far, also outside of activations."""
        self.held: list[tuple[int, dict[Side, int]]] = []
        """By turning point: the objective markers each side controlled at its end."""

    def about_to_act(self, answer: Any) -> str | None:
        """Whoever begins to act with *answer*, if somebody does. The last one ready of a side is not asked for: it
        begins with its order, or where that is no question either with its first action."""
        state, pending = self.game.state, self.game.pending
        if self._begun is not None or pending is None or is_deed(answer):
            return None
        if pending.topic in BEGINS:
            return str(answer) if answer in state.operatives else None
        if pending.topic == "order" and pending.about in state.operatives and state.phase == "firefight":
            return str(pending.about)
        return None if state.activation is None else state.activation.operative

    def give(self, answer: Any) -> WatchedActivation | None:
        """Give the next answer; the activation that is over with it, if one is."""
        game, witness = self.game, self.witness
        pending, count, before = game.pending, len(game.answers), game.state
        assert pending is not None
        if (id := self.about_to_act(answer)) is not None:
            who, now = before.operatives[id], before.activation
            is_counteraction = pending.topic == "counteract" or (now is not None and now.kind == "counteraction")
            self.before, witness.end, witness.attacks = before.copy(), None, []
            self._begun = (count, before.turning_point, who.side, who.id, is_counteraction, len(game.events))
        turning_point, controlled = before.turning_point, self._controlled()
        known = len(witness.attacks)
        told = len(game.events)
        witness.asked(game.battle, pending)
        with witness.listening():
            game.submit(answer)
        for event in game.events[told:]:
            witness.happened(event)
        self.shots += witness.attacks[known:]
        if game.state.turning_point > turning_point > 0 or game.pending is None:
            self.held.append((turning_point, controlled))
        return self._over()

    def _over(self) -> WatchedActivation | None:
        witness = self.witness
        if self._begun is None or witness.end is None:
            return None
        moment, turning_point, side, id, is_counteraction, told = self._begun
        self._begun = None
        end = witness.end
        assert end.activation is not None
        return WatchedActivation(
            moment,
            turning_point,
            side,
            id,
            end.operatives[id].name,
            is_counteraction,
            end,
            end.activation,
            tuple(witness.attacks),
            tuple(self.game.events[told:]),
        )

    def _controlled(self) -> dict[Side, int]:
        markers = [each for each in self.game.state.markers.values() if each.kind == "objective"]
        return {side: sum(each.controller == side for each in markers) for side in ("red", "blue")}
