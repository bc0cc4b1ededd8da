"""Input of a game: the pointer on the table, keys, and the bar's buttons; all of it ends in an answer to the match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ktsim.app.play.bar import BarAction
from ktsim.app.play.board import feature_at, open_on_table, operative_at, pair_at, point_at
from ktsim.app.play.cards_now import CardNow, CardsNowScreen, cards_now
from ktsim.app.play.draft import Draft
from ktsim.app.play.game_table import GameTable
from ktsim.app.play.hand_screen import HandScreen
from ktsim.app.play.intents import TOPICS, Intent
from ktsim.app.play.match import Match
from ktsim.app.play.menu import GAME_KEYS, AgreementScreen, MenuScreen
from ktsim.app.play.offers import NON_PLAYER
from ktsim.app.play.question import Asked
from ktsim.app.screens.keys import KeysScreen
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.screens.settings_page import SettingsScreen
from ktsim.app.stage.cameras import Free
from ktsim.app.stage.picture import CLICK, TablePicture
from ktsim.app.teams.cards_screen import CardsScreen
from ktsim.app.ui.rect import Place
from ktsim.errors import UserError
from ktsim.game.bots import BOTS
from ktsim.rules.engine.by_hand import Deed
from ktsim.rules.engine.decisions import CANCEL
from ktsim.rules.engine.state import Point, Side, milli

TABS = (("roster", "Rosters"), ("log", "Log"), ("mission", "Mission"))
FINE, COARSE = 10, 100
"""Thousandths of an inch of one press of an arrow key, with Shift and without."""

PAGES: dict[str, Callable[[Screen], Screen]] = {
    "f1": lambda screen: KeysScreen(screen.desktop, GAME_KEYS),
    "f4": lambda screen: SettingsScreen(screen.desktop),
    "f10": lambda screen: MenuScreen(screen.desktop, screen),
}
"""What can be looked at whatever is asked, by its key."""


class GameInput(Screen):
    """A screen that a match is played at; what it looks like is its subclass's business."""

    def __init__(self, desktop: Host, match: Match, free: Free) -> None:
        super().__init__(desktop)
        self.match = match
        self.table = GameTable(desktop, match, free)
        self.tab = "roster"
        self.aimed_at = ""
        """The enemy that was clicked and can be attacked: what can be done to it is shown."""
        self._pressed: tuple[Place, bool, bool] | None = None
        self._cards: tuple[int, tuple[CardNow, ...]] = (-1, ())
        self.moving_by_hand: Deed | None = None
        """A free move whose place is clicked next."""

    @property
    def picture(self) -> TablePicture:
        return self.table.picture

    @property
    def is_preparing(self) -> bool:
        """Whether the engine is still being compiled: until then nothing is asked of it."""
        return not self.desktop.may_rule()

    def _changed(self) -> None:
        self.desktop.refresh()

    # ---- the pointer ----------------------------------------------------------------------------------------
    def pointer(self, at: Place) -> None:
        if self._pressed is not None:
            start, _, moved = self._pressed
            if moved or max(abs(at[0] - start[0]), abs(at[1] - start[1])) >= CLICK:
                self._pressed = (start, self._pressed[1], True)
                self.picture.drag(at)
            return
        draft = self.match.draft
        is_over_table = not self.desktop.ui.covers(*at)
        is_open = (
            draft is not None
            and draft.prompt.kind in ("place", "walk")
            and (draft.is_offered or len(draft.points) == draft.fixed)
        )
        self.table.hover = point_at(self.picture, at) if is_open and is_over_table else None
        is_shown = is_over_table and not self._is_closed and not self.match.is_read
        self.table.hovered = operative_at(self.picture, at) if is_shown else ""

    def press(self, button: str, at: Place, held: Held) -> None:
        if self._is_closed:
            return
        if self.match.is_read:
            self.match.skip()
            return
        self.aimed_at = ""
        if not self.picture.grab(button, at, held.shift):
            self.picture.turn_with(at)
        self._pressed = (at, held.shift, False) if button == "mouse1" else (at, held.shift, True)

    def release(self, button: str, at: Place) -> None:
        self.picture.let_go()
        pressed, self._pressed = self._pressed, None
        if pressed is not None and not pressed[2]:
            self.click(at, pressed[1])

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        if self._is_closed:
            return
        draft = self.match.draft
        if (held.control or held.alt) and draft is not None and draft.turn_by(notches):
            self._changed()
            return
        self.picture.zoom(notches, at)

    @property
    def _is_closed(self) -> bool:
        """Whether the table is not to be seen or touched now."""
        return self.is_preparing or self.match.privacy.is_covered or self.match.privacy.is_private

    def click(self, at: Place, is_shifted: bool) -> None:
        """A click on the table answers, or goes some way towards an answer. Something is placed where it may stand at
        once, unless Shift is held: then it can still be moved."""
        if self.moving_by_hand is not None:
            self._moved_by_hand(at)
            return
        draft = self.match.draft
        if draft is None:
            return
        if draft.prompt.kind in ("place", "walk"):
            point = self._charged(at) or point_at(self.picture, at)
            if point is not None:
                draft.put(point, is_waypoint=is_shifted)
            if point is not None and draft.prompt.kind == "place" and not is_shifted and draft.allows(point):
                self._give(self.match.confirm)
        else:
            who, feature = operative_at(self.picture, at), feature_at(self.picture, at)
            choice = next((choice for choice in draft.choices if who and choice.operative == who), None)
            able = [each for each in draft.choices if feature in each.features]
            if len(able) > 1:
                self.desktop.say(f"Which of these: {', '.join(each.title for each in able)}?")
            choice = choice or (able[0] if len(able) == 1 else None)
            if choice is None and who and self._may_attack(draft, who):
                self.aimed_at = who
            if choice is not None and choice.refusal:
                self.desktop.say(f"{choice.title}: {choice.refusal}")
            elif choice is not None:
                self._choose(draft, choice.key)
        self._changed()

    def _may_attack(self, draft: Draft, who: str) -> bool:
        """Whether a click on *who* asks what can be done to it."""
        one = self.match.game.state.operatives.get(who)
        is_enemy = one is not None and one.side != draft.prompt.seat
        return is_enemy and draft.prompt.topic in TOPICS and bool(draft.prompt.operative)

    def attack(self, intent: Intent) -> None:
        """Do what was chosen of what can be done to an enemy."""
        self.aimed_at = ""
        if intent.refusal:
            self.desktop.say(f"{intent.title}: {intent.refusal}")
            return
        self._give(lambda: self._begin(intent))

    def _begin(self, intent: Intent) -> None:
        self.match.intended.begin(intent)
        self.match.advance()

    def _charge_on(self) -> None:
        """Lead the Charge that was meant for an enemy to the place beside it, once that is known."""
        draft, match = self.match.draft, self.match
        if not match.intended.charged or draft is None or draft.prompt.kind != "walk":
            return
        place = self.table.charge_place()
        if place is not None:
            draft.put(place)
            match.intended.stop()
            self._changed()
        elif self.table.reach() is not None:
            self.desktop.say(f"{match.game.battle.name(match.intended.charged)} cannot be reached.")
            match.intended.stop()

    def _charged(self, at: Place) -> Point | None:
        """Where the move comes nearest to the enemy under the pointer, if there is one and it can be reached."""
        who, draft = operative_at(self.picture, at), self.match.draft
        enemy = self.match.game.state.operatives.get(who)
        if enemy is None or draft is None or enemy.side == draft.prompt.seat:
            return None
        return self.table.place_beside(who)

    # ---- answering ------------------------------------------------------------------------------------------
    def _choose(self, draft: Draft, key: str) -> None:
        if draft.prompt.kind == "pick" and not draft.prompt.needs_confirming:
            self._give(lambda: self.match.submit(key))
        elif draft.prompt.kind == "pick" and draft.marked == [key] and not draft.prompt.is_secret:
            self._give(self.match.confirm)
        else:
            if refusal := draft.mark(key):
                self.desktop.say(refusal)
            self._changed()

    def _give(self, run: Callable[[], object]) -> None:
        """Answer between frames, unless the game is left by then."""

        def give() -> None:
            if not self.desktop.has(self):
                return
            run()
            self.table.hover, self.aimed_at = None, ""
            self.desktop.ui.focus.stop()  # the keys belong to what is asked next
            self._changed()

        self.desktop.later(give)

    def _asked(self, asked: Asked) -> None:
        draft = self.match.draft
        if draft is None:
            return
        match asked:
            case ("choice", str(key)):
                self._choose(draft, key)
            case ("face", int(face)):
                draft.roll(face)
            case ("confirm", _):
                self._give(self.match.confirm)
            case ("cancel-move", _):
                self._give(lambda: self.match.submit(CANCEL))
            case ("step-back", _):
                draft.back()
            case ("suggest" | "another", _):
                self._suggest(draft)
            case ("peek", _):
                self.match.peek(not self.match.privacy.is_peeking)
            case ("help", _):
                self._give(self.match.help)
            case ("prepare", _):
                self._give(lambda: self.match.help(is_all=True))
            case ("undo-help", _):
                self._undo(self.match.undo_help)
            case ("go-back", _):
                self._give(self.match.undo)
            case ("typed", str(text)):
                self._put_typed(draft, text)
        self._changed()

    def _suggest(self, draft: Draft) -> None:
        """Some legal place; for a move where a bot would go, which is no place to regret."""
        if draft.prompt.kind == "walk":
            self._bar("hint")
        else:
            draft.suggest()

    def _put_typed(self, draft: Draft, text: str) -> None:
        """Places typed in inches: ``x, y`` or ``x, y, height``, several separated by semicolons."""
        level = self._start(draft)[2]
        points = []
        for part in text.split(";"):
            try:
                values = [float(word) for word in part.replace(",", " ").split()]
                if len(values) not in (2, 3) or not all(abs(value) < 1000 for value in values):
                    raise ValueError
            except ValueError:
                self.desktop.say(f"{part.strip()[:40]!r} is not a place such as 12.5, 8 (in inches).")
                return
            points.append((milli(values[0]), milli(values[1]), milli(values[2]) if len(values) == 3 else level))
        draft.fixed = 0
        for point in points:
            draft.put(point, is_waypoint=point is not points[-1])

    def _start(self, draft: Draft) -> Point:
        """Where something placed by keys begins: where the operative stands, or in the middle of the board."""
        battle = self.match.game.battle
        who = battle.state.operatives.get(draft.prompt.operative)
        if who is not None and who.is_in_killzone:
            return who.point
        zone = battle.drop_zone(who.side) if who is not None else None
        if zone is not None:
            return milli(sum(x for x, _ in zone) / len(zone)), milli(sum(y for _, y in zone) / len(zone)), 0
        width, depth = battle.board.terrain.board
        return milli(width / 2), milli(depth / 2), 0

    # ---- keys -----------------------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        if key in PAGES:
            self.desktop.push(PAGES[key](self))
        elif self.is_preparing:
            return
        elif held.control:
            if key in ("z", "y"):
                self._bar("redo" if key == "y" or held.shift else "undo")
        elif key == "backspace" and held.shift and self.match.helped:
            self._undo(self.match.undo_help)
        elif self.match.privacy.is_covered:
            if key in ("enter", "space"):
                self.match.accept()
        elif self.match.is_read:
            self.match.skip()
        elif not self._draft_key(key, held) and not self.match.privacy.is_private:
            self._table_key(key)
        self._changed()

    def _draft_key(self, key: str, held: Held) -> bool:
        """A key that answers; whether it does."""
        draft = self.match.draft
        if draft is None:
            return False
        if key == "enter":
            self._give(self.match.confirm)
        elif key == "backspace":
            if not draft.back() and self.match.may_step_back:
                self._give(self.match.undo)
        elif key == "a" and self.match.may_prepare:
            self._give(lambda: self.match.help(is_all=True))
        elif key == "r" and self.match.may_help:
            self._give(self.match.help)
        elif draft.prompt.kind == "roll" and key in "123456":
            draft.roll(int(key))
        elif draft.prompt.kind in ("pick", "some") and key in ("arrow_down", "arrow_up"):
            draft.step(1 if key == "arrow_down" else -1)
        elif draft.prompt.kind in ("place", "walk"):
            return self._place_key(draft, key, held)
        else:
            choice = next((choice for choice in draft.choices if key in choice.keys), None)
            if choice is None:
                return False
            if choice.refusal:
                self.desktop.say(f"{choice.title}: {choice.refusal}")
            else:
                self._choose(draft, choice.key)
        return True

    def _place_key(self, draft: Draft, key: str, held: Held) -> bool:
        step = FINE if held.shift else COARSE
        ways = {"left": (-step, 0), "right": (step, 0), "up": (0, step), "down": (0, -step)}
        if key.startswith("arrow_"):
            draft.nudge(*ways[key.removeprefix("arrow_")], self._start(draft))
        elif key == "g":
            self._suggest(draft)
        elif key in ("q", "w") and draft.turn_by(1 if key == "q" else -1):
            pass
        elif key == "x" and draft.can_cancel:
            self._give(lambda: self.match.submit(CANCEL))
        else:
            return False
        return True

    def _table_key(self, key: str) -> None:
        match key:
            case "t":
                self.picture.top()
            case "home":
                self.picture.home()
            case "f":
                ids = {choice.operative for choice in (self.match.prompt.choices if self.match.prompt else ())}
                ids.add(self.match.prompt.operative if self.match.prompt else "")
                self.picture.frame_on([one for one in self.table.scene().operatives if one.id in ids])
            case "e":
                acting = self.match.prompt.operative if self.match.prompt else ""
                one = next((one for one in self.table.scene().operatives if one.id == acting), None)
                self.picture.look_through(None if self.picture.eye is not None else one)
            case "f3":
                names = [name for name, _ in TABS]
                self.tab = names[(names.index(self.tab) + 1) % len(names)]
            case "y":
                self.table.shows_names = not self.table.shows_names
            case "d":
                self.table.shows_danger = not self.table.shows_danger
                if self.table.shows_danger and self.table.reach() is None:
                    self.desktop.say("Danger is shown over what is in reach as soon as a move is planned.")
            case "h":
                self._bar("hint")
            case "b":
                self._bar("by-hand")
            case "c":
                self.show_cards()
            case "f2":
                self._bar("rule")

    # ---- the bar --------------------------------------------------------------------------------------------
    def _bar(self, action: BarAction) -> None:
        match = self.match
        match action:
            case "menu" | "back":
                self.desktop.push(MenuScreen(self.desktop, self))
            case "redo":
                self._give(match.redo)
            case "undo":
                self._undo(match.undo)
            case "hint":
                match.ask_hint(self.adviser)
            case "rule":
                self.desktop.load("the ruling table", self.rule_here)
            case "by-hand":
                self.desktop.later(self.by_hand)

    # ---- cards, and what is done by hand --------------------------------------------------------------------
    def cards(self) -> tuple[CardNow, ...]:
        """The cards that matter now, read off the game anew when it has gone on."""
        if self._cards[0] != self.match.version:
            self._cards = (self.match.version, cards_now(self.match.game, self.match.attack()))
        return self._cards[1]

    def show_cards(self) -> None:
        self.desktop.push(CardsNowScreen(self.desktop, self.cards(), self.by_hand, self.show_datacards))

    def show_datacards(self, side: Side) -> None:
        """The datacards of a side as it plays, whoever acts first."""
        state, team = self.match.game.state, self.match.game.battle.teams[side]
        acting = state.operatives[state.activation.operative].card if state.activation is not None else ""
        owner, _, kind = acting.partition("/")
        self.desktop.push(CardsScreen(self.desktop, team, "", kind if owner == side else ""))

    def by_hand(self, card: CardNow | None = None) -> None:
        """The panel for it; for the sake of a *card* its side does it and its title is why."""
        match = self.match
        if not match.game.state.turning_point:
            raise UserError("By hand something is changed once the battle has begun.")
        by = card.side if card is not None else match.seat or match.game.state.turn or "blue"
        names = {who.name: who.id for who in match.game.state.operatives.values()}
        reason, who = (card.card.title, names.get(card.owner, "")) if card is not None else ("", "")
        self.desktop.push(
            HandScreen(
                self.desktop, match.game, by, self._do, self._point_out, match.rolls, match.roll_again, reason, who
            )
        )

    def _do(self, deed: Deed) -> bool:
        done = self.match.by_hand(deed)
        if not done:
            raise UserError(self.match.notice)
        self._changed()
        return done

    def _point_out(self, deed: Deed) -> None:
        """The next click on the table is where a free move goes."""
        self.moving_by_hand = deed
        self.desktop.say(f"Click where {self.match.game.battle.name(deed.what)} goes; Escape gives it up.")

    def _moved_by_hand(self, at: Place) -> None:
        deed, self.moving_by_hand = self.moving_by_hand, None
        point = point_at(self.picture, at)
        if deed is not None and point is not None:
            placed = replace(deed, args=point)
            self._give(lambda: self._do(placed))

    def _undo(self, run: Callable[..., object]) -> None:
        """Go back, after asking both players where that takes an agreement."""
        if self.match.game.answers and self.match.undo_refusal():
            self.desktop.push(AgreementScreen(self.desktop, self.match, run))
        else:
            self._give(run)

    @property
    def adviser(self) -> str:
        """The bot that is asked for hints: the one that plays (unless it only follows lists), or the last (the
        strongest) of the register."""
        agreement = self.match.agreement
        playing = [name for name in (agreement.red, agreement.blue) if name in BOTS and name != NON_PLAYER]
        return playing[0] if playing else list(BOTS)[-1]

    def rule_here(self) -> None:
        """Open the ruling table on a copy of the present table; the game stays where it is."""
        draft, game = self.match.draft, self.match.game
        if draft is not None and draft.prompt.topic == "target" and draft.marked:
            pair: tuple[str, str] | None = (draft.prompt.operative, draft.marked[0])
        else:
            pair = pair_at(game.battle, game.state, game.events)
        open_on_table(self.desktop, game.battle, game.state, self.match.session.setup, pair)
