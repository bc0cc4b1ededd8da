"""What must hold after every answer, whatever was played. Random games, tests and debug play use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ktsim.game.game import Game
from ktsim.geometry.plane import length
from ktsim.rules.engine.decisions import Decision
from ktsim.rules.engine.events import CpChanged, EffectBegan, Event, PhaseBegan, Readied, TurnPassed, VpScored
from ktsim.rules.engine.operative_events import (
    ActionBegan,
    ActionCancelled,
    ActionEnded,
    ActivationBegan,
    ActivationEnded,
    ApSpent,
    Healed,
    Joined,
    Moved,
    OrderChanged,
    OrderGiven,
    Overwatched,
    Removed,
    Retained,
    SetUp,
    Survived,
    WeaponUsed,
    Wounded,
)
from ktsim.rules.engine.state import SIDES, Effect, OperativeState, Side, other
from ktsim.rules.engine.table_events import Teleported, TerrainChanged
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.moving.openings import breach_points
from ktsim.rules.teams.language.values import terms_of
from ktsim.rules.teams.playing.team_language import TeamLanguage
from ktsim.sight.scene import EPS
from soak.op_invariants import OpWatch
from soak.tally import Tally


class Broken(AssertionError):
    """An invariant does not hold; the message says which and where."""


class Watch:
    """Follows one game from its start and checks invariants 1 to 9, 11 and 12 after each answer.

    It keeps books of its own (who is ready, wounds, CP, VP), so that an event applied wrongly is noticed.
    ``tally`` says what the game has exercised. Where everybody stands (5, 6 and 12) is the costly part; it is looked
    at every so many answers at which somebody has moved, and on which of them is up to *phase*.
    """

    def __init__(self, game: Game, every: int = 1, phase: int = 0) -> None:
        self.game = game
        self.tally = Tally(game)
        self._every, self._changes = every, phase
        cards = game.battle.cards
        self._wounds = {o.id: cards[o.card].wounds for o in game.state.operatives.values()}
        self._ready: set[str] = set()
        self._orders: dict[str, str] = {o.id: o.order for o in game.state.operatives.values()}
        gained = [event for event in game.events if isinstance(event, CpChanged)]
        self._cp = {side: game.state.cp[side] - sum(e.amount for e in gained if e.side == side) for side in SIDES}
        self._vp = dict.fromkeys(SIDES, 0)
        self._action = ""
        self._turn: Side | None = None
        self._active: ActivationBegan | None = None
        self._spent = 0
        self._most = 0
        """The highest APL it has had since it was activated: what added to it may be over by the time one looks."""
        self._done: list[str] = []
        self._seen = 0
        self._stood: tuple[object, ...] = ()
        self._granted: list[Effect] = []
        self._breaches = {line.id for line in breach_points(game.battle)}
        self._overwatched: set[tuple[int, str]] = set()
        self._ops = OpWatch(game, self._demand, self.tally)
        self._books: list[tuple[str, Any]] = []
        """What the books said when each action in progress began."""
        self.check()

    def check(self) -> None:
        """Follow the events since the last call, then look at the state."""
        told = self.game.events[self._seen :]
        for event in told:
            self._follow(event)
            self.tally.follow(event)
            self._ops.follow(event)
        self._seen = len(self.game.events)
        self._note_apl()
        self._look()
        self._ops.look(told, self._is_between)

    def _demand(self, holds: bool, text: str) -> None:
        if not holds:
            raise Broken(f"after answer {len(self.game.answers)}: {text}")

    # -- events --------------------------------------------------------------------------------------

    def _follow(self, event: Event) -> None:
        state = self.game.state
        if isinstance(event, EffectBegan) and event.effect.grants:
            self._granted.append(event.effect)
        elif isinstance(event, Readied):
            self._granted = [effect for effect in self._granted if effect.until != "turning-point"]
            self._ready = {o.id for o in state.operatives.values() if o.is_in_killzone}
        elif isinstance(event, PhaseBegan):
            self._turn = event.turn
        elif isinstance(event, TurnPassed):
            self._turn = event.side
        elif isinstance(event, ActivationBegan):
            self._begin(event)
        elif isinstance(event, ActivationEnded):
            if self._active is not None and self._active.kind == "activation":
                self._ready.discard(event.operative)
            self._active = None
        elif isinstance(event, ActionBegan):
            self._act(event)
        elif isinstance(event, ActionEnded):
            self._close_books(event.operative)
        elif isinstance(event, ActionCancelled):
            self._close_books(event.operative, restore=True)
        elif isinstance(event, OrderChanged):
            self._orders[event.operative] = event.order
        elif isinstance(event, Healed):
            self._wounds[event.operative] += event.amount
        elif isinstance(event, Survived):
            self._wounds[event.operative] = event.wounds
        elif isinstance(event, ApSpent):
            self._spend(event.ap)
        elif isinstance(event, OrderGiven):
            self._orders[event.operative] = event.order
        elif isinstance(event, Overwatched):
            self._overwatch(event)
        elif isinstance(event, WeaponUsed):
            self._use(event)
        elif isinstance(event, Moved):
            self._move(event)
        elif isinstance(event, Teleported):
            self._demand(state.turning_point >= 2, "KZ-TOMB-PAD: somebody teleports in turning point 1")
        elif isinstance(event, TerrainChanged) and event.to == "closed":
            self._demand(event.feature not in self._breaches, f"KZ-TOMB-BREACH: {event.feature} is closed again")
        elif isinstance(event, Retained):
            total = event.normals + event.crits + event.fails + event.discarded
            self._demand(total == event.dice, f"8: {event.dice} dice became {total}")
        elif isinstance(event, Joined):
            self._wounds[event.operative] = event.wounds
        elif isinstance(event, Wounded):
            self._wounds[event.operative] = max(0, self._wounds[event.operative] - event.amount)
        elif isinstance(event, CpChanged):
            self._cp[event.side] += event.amount
        elif isinstance(event, VpScored):
            self._vp[event.side] += event.amount
        elif isinstance(event, (Removed, SetUp)):
            self._ready.discard(event.operative)

    def _begin(self, event: ActivationBegan) -> None:
        state, who = self.game.state, self.game.state.operatives[event.operative]
        waiting = {side: any(state.operatives[id].side == side for id in self._ready) for side in SIDES}
        self._demand(who.side == self._turn, f"2: {who.name} acts in the turn of {self._turn}")
        if event.kind == "activation":
            self._demand(event.operative in self._ready, f"2: {who.name} is activated and not ready")
        else:
            may = any(rule.may_counteract(self.game.battle, who) for rule in self.game.battle.having("may_counteract"))
            self._demand(event.order == "engage" or may, f"3: {who.name} counteracts on a Conceal order")
            self._demand(not waiting[who.side], f"2: {who.name} counteracts while a friend is ready")
            self._demand(waiting[other(who.side)], f"2: {who.name} counteracts though no enemy is ready")
        self._demand(self._wounds[who.id] > 0, f"4: {who.name} is incapacitated and acts")
        self._orders[who.id] = event.order
        self._active, self._spent, self._most, self._done = event, 0, event.apl, []

    def _act(self, event: ActionBegan) -> None:
        self._action = event.action
        books = (dict(self._wounds), dict(self._cp), dict(self._vp), set(self._ready), self._spent, list(self._done))
        self._books.append((event.operative, (*books, set(self._overwatched))))
        if self._active is None or event.operative != self._active.operative:
            return
        self._spend(event.ap)
        can_repeat = event.action == "Pass" or (event.action == "Place Marker" and event.ap == 0)
        actions = self.game.battle.actions(self.game.state.operatives[event.operative])
        can_repeat = can_repeat or any(each.name == event.action and each.can_repeat for each in actions)
        more = self.game.battle.changed(
            self.game.state.operatives[event.operative], f"repeat:{event.action}", Reasoned.of(0)
        )
        # who goes on guard last is asked nothing more: what let it do so twice may be over with its activation
        can_repeat = can_repeat or (event.action == "Guard" and self.game.state.activation is None)
        is_allowed = self._done.count(event.action) <= more.value or can_repeat or self._is_given_again(event)
        self._demand(event.action not in self._done or is_allowed, f"1: {event.action} twice in an activation")
        self._done.append(event.action)
        if event.action == "Charge":
            may = bool(self.game.battle.having("waives"))  # where nobody's rules allow it, nobody may
            self._demand(self._orders[event.operative] == "engage" or may, "3: Charge on a Conceal order")

    def _is_given_again(self, event: ActionBegan) -> bool:
        """Whether a rule of the operative's team gives it that free action in spite of having performed it."""
        side = self.game.state.operatives[event.operative].side
        texts = [rule for rule in self.game.battle.rules if isinstance(rule, TeamLanguage) and rule.side == side]
        given = [term for rule in texts for clause in rule.clauses for term in terms_of(clause.rule)]
        free = [term for term in given if term.word == "free-action" and event.ap == 0]
        return any(term.get("regardless") or event.action in (term.get("in-spite-of") or ()) for term in free)  # type: ignore[operator]

    def _spend(self, ap: int) -> None:
        self._spent += ap
        if self._active is not None:
            self._note_apl()
            self._demand(self._spent <= self._most, f"1: {self._spent}AP spent of {self._most}")

    def _note_apl(self) -> None:
        """A rule may add some in mid-activation."""
        if self._active is not None:
            who = self.game.state.operatives[self._active.operative]
            self._most = max(self._most, self.game.battle.apl(who).value)

    def _overwatch(self, event: Overwatched) -> None:
        """KT21-OVERWATCH: in the own turn, nobody ready while the opponent has somebody, once per turning point."""
        who = self.game.state.operatives[event.operative]
        waiting = {side: any(self.game.state.operatives[id].side == side for id in self._ready) for side in SIDES}
        key = (self.game.state.turning_point, who.id)
        self._demand(self._orders.get(who.id) == "engage", f"3: {who.name} performs Overwatch on a Conceal order")
        self._demand(key not in self._overwatched, f"1: {who.name} performs Overwatch twice in a turning point")
        self._overwatched.add(key)
        if self._active is None:
            self._demand(who.side == self._turn, f"2: {who.name} performs Overwatch in the turn of {self._turn}")
            self._demand(not waiting[who.side], f"2: {who.name} performs Overwatch while a friend is ready")
            self._demand(waiting[other(who.side)], f"2: {who.name} performs Overwatch though no enemy is ready")

    def _close_books(self, operative: str, restore: bool = False) -> None:
        """An action is over; a cancelled one has not happened, whatever came about in it (KT24-CANCEL)."""
        while self._books:
            owner, books = self._books.pop()
            if owner == operative:
                if restore:
                    self._wounds, self._cp, self._vp, self._ready, self._spent, self._done, self._overwatched = books
                return

    def _use(self, event: WeaponUsed) -> None:
        who = self.game.state.operatives[event.operative]
        battle = self.game.battle
        profile = battle.weapon(who, event.weapon)
        if self._action == "Shoot" and self._orders.get(who.id) == "conceal":
            granted = [
                effect.grants
                for effect in self._granted
                if who.id == effect.target or (effect.target is None and who.side == effect.side)
                if effect.weapons in ("", profile.kind)
            ]
            granted += [rule.text for rule in battle.weapon_rules(who, profile)]  # by texts of its team
            self._demand("Silent" in (*profile.rules, *granted), f"3: {who.name} shoots on a Conceal order")

    def _move(self, event: Moved) -> None:
        self._demand(event.cost <= event.allowance, f'7: a move of {event.cost}" with {event.allowance}" allowed')

    # -- state ---------------------------------------------------------------------------------------

    def _look(self) -> None:
        game, state, battle = self.game, self.game.state, self.game.battle
        self._demand(
            state.cp == self._cp and min(state.cp.values()) >= 0, f"9: CP {state.cp}, the events say {self._cp}"
        )
        self._demand(state.vp == self._vp, f"9: VP {state.vp}, the events say {self._vp}")
        for who in state.operatives.values():
            self._demand(0 <= who.wounds <= battle.card(who).wounds, f"4: {who.name} has {who.wounds} wounds")
            self._demand(who.wounds == self._wounds[who.id], f"9: {who.name}'s wounds do not add up")
            self._demand(not (who.is_removed and who.is_ready), f"4: {who.name} is removed and ready")
        present = [o for o in state.operatives.values() if o.is_in_killzone]
        if self._is_between:
            for who in present:
                self._demand(not who.is_incapacitated, f"4: {who.name} is incapacitated and still there")
            stand = tuple((who.id, who.point) for who in present)
            if stand != self._stood:
                self._stood = stand
                self._changes += 1
                if self._changes % self._every == 0:
                    self._check_places(present)
        self._demand((game.pending is None) == (state.phase == "over"), "11: nothing is asked and the game is not over")

    @property
    def _is_between(self) -> bool:
        """Whether the game is between two actions, with everything settled."""
        pending = self.game.pending
        return pending is not None and pending.topic in ("action", "activate", "gambit")

    def _check_places(self, present: Sequence[OperativeState]) -> None:
        """5, 6 and 12, whenever somebody stands somewhere else than before."""
        table, state = self.game.battle.table, self.game.state
        for who in present:
            refused = table.mover.refuses_to_stand(table, state, who.id, who.point)
            self._demand(refused is None, f"5, 6: {who.name}: {refused}")
        self._check_distances([who.id for who in present])

    def _check_distances(self, ids: Sequence[str]) -> None:
        """12, for one pair and one triple that change from answer to answer."""
        if len(ids) < 3:
            return
        start = len(self.game.answers) % (len(ids) - 2)
        a, b, c = ids[start : start + 3]
        state, table = self.game.state, self.game.battle.table
        ab, ba = table.distance(state, a, b), table.distance(state, b, a)
        self._demand(ab == ba or abs(ab - ba) <= EPS, f"12: distance {a} {b} is {ab} one way and {ba} the other")
        one, two = state.operatives[a], state.operatives[c]
        centres = length(one.x - two.x, one.y - two.y) / 1000
        across = ab + table.distance(state, b, c) + 2 * table.radius(state.operatives[b])
        reach = centres - table.radius(one) - table.radius(two)
        self._demand(reach <= across + EPS, f"12: {a} to {c} is longer than by way of {b}")


JUNK: tuple[Any, ...] = (None, -1, "", "no such option", (), (0,), (7, 7), ((0, 0, 0),), ("a", "a"), 3.5, {}, True)
"""Answers that are hardly ever legal."""


def check_refusals(game: Game) -> int:
    """10: what ``check`` refuses is refused by ``submit`` and changes nothing. Returns how many were refused."""
    pending: Decision[Any] | None = game.pending
    assert pending is not None
    before, refused = game.digest(), 0
    for junk in JUNK:
        if (reason := pending.check(junk)) is None:
            continue
        refused += 1
        try:
            game.submit(junk)
        except ValueError as error:
            if str(error) != reason:
                raise Broken(f"10: {junk!r} is refused with {error}, not with {reason}") from None
        else:
            raise Broken(f"10: {junk!r} was accepted though refused by check")
    if game.digest() != before or game.pending is not pending:
        raise Broken("10: a refused answer changed the game")
    return refused
