"""What the panels and the table show of a match: plain data read off it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ktsim.app.card.overlay import overlays_of
from ktsim.app.card.view import view_of
from ktsim.app.play import marks
from ktsim.app.play.bar import BarButton, BarData
from ktsim.app.play.chances import Aimed, Chance, Engaged
from ktsim.app.play.choices import ChoiceRows, OddsLine
from ktsim.app.play.draft import Draft
from ktsim.app.play.logbook import LogLine
from ktsim.app.play.match import Match
from ktsim.app.play.plan_marks import plan_marks
from ktsim.app.play.prompt import answer_words, place_words
from ktsim.app.play.question import Question
from ktsim.app.play.routes import Pointed, Route
from ktsim.app.play.topics import fights_on_offer, ruling_marks, shots_on_offer
from ktsim.app.stage.overlays import GhostShape, Label, Line, Overlay, Spot, selection
from ktsim.app.stage.ways import Reachable, reach_marks
from ktsim.game.scenes import operative_of
from ktsim.rules.engine.decisions import Place, Walk
from ktsim.rules.engine.shoot.targets import Aim
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import SIDES, PieceState, Point
from ktsim.rules.engine.table import MoveRequest
from ktsim.sight.pads import pads_of
from ktsim.sight.part_names import readable
from ktsim.sight.scene import Operative, Scene, Weapon

Odds = Mapping[tuple[str, str], tuple[Chance, ...]]
"""By weapon and target: the chance of a shot, or what a fight inflicts and what it costs."""


def bar_data(match: Match) -> BarData:
    seat, name, doing = match.banner()
    if (recap := match.recaps.pending) is not None and not match.is_showing:
        seat, name, doing = recap.side, match.team("red" if recap.side == "red" else "blue"), "This is what they did"
    state = match.game.state
    undo = match.undo_refusal()
    words = f"Undo: {match.undo_words} (Ctrl+Z)" if match.undo_words else "Undo (Ctrl+Z)"
    nothing = "" if match.game.answers else "There is nothing to undo."
    can_hint = match.prompt is not None and not match.privacy.is_covered and match.prompt.kind != "roll"
    return BarData(
        BarButton("menu", "list", "Settings (F4), keys (F1), leave (F10)"),
        seat,
        name,
        doing,
        state.turning_point,
        match.game.battle.edition.turning_points,
        tuple((side, state.vp[side], state.cp[side]) for side in ("blue", "red")),
        (
            BarButton("undo", "undo", undo or words, nothing),
            BarButton("redo", "redo", "Redo (Ctrl+Shift+Z)", "" if match.session.can_redo else "Nothing to redo."),
            BarButton("hint", "bulb", "What would a bot do? (H)", "" if can_hint else "Nobody is asked anything now."),
            BarButton("by-hand", "pen", "By hand: what a card says and the program does not do (B)", _not_begun(match)),
            BarButton("rule", "target", "Rule on this table, on a copy (F2)"),
        ),
    )


def _not_begun(match: Match) -> str:
    """Why nothing can be done by hand yet; empty when it can."""
    return "" if match.game.state.turning_point and not match.is_over else "By hand comes once the battle has begun."


def shots_and_fights(match: Match) -> tuple[list[Aimed], list[Engaged]]:
    """What odds are to be shown for, ready to be solved elsewhere."""
    battle = match.game.battle
    return shots_on_offer(match.decision, battle), fights_on_offer(match.decision, battle)


def solved(shots: list[Aimed], fights: list[Engaged]) -> Odds:
    """The odds of all of these; takes a while."""
    found: dict[tuple[str, str], tuple[Chance, ...]] = {}
    for aimed in shots:
        if not aimed.refusal:
            found[aimed.weapon, aimed.target] = (aimed.chance(),)
    for fight in fights:
        found[fight.weapon, fight.enemy] = fight.chances()
    return found


def choice_rows(match: Match, draft: Draft, shots: list[Aimed], fights: list[Engaged], odds: Odds | None) -> ChoiceRows:
    """The choices with their odds: beside each target, or below each weapon for every target."""
    prompt, names = draft.prompt, match.game.battle.name
    beside: dict[str, OddsLine] = {}
    below: dict[str, list[OddsLine]] = {}
    for aimed in shots:
        chance = (odds or {}).get((aimed.weapon, aimed.target))
        damage, kill = (f"{chance[0].damage:.1f}", f"{chance[0].kill:.0%}") if chance else ("", "")
        if prompt.topic == "target":
            beside[aimed.target] = OddsLine("", damage, kill)
        else:
            name = f'{names(aimed.target)}, {aimed.ruling.distance:.1f}"'
            reason = in_names(match, aimed.refusal.removeprefix(f"{names(aimed.target)}: "))
            line = OddsLine(name, damage, kill, ruling_marks(aimed.ruling), reason)
            below.setdefault(aimed.weapon, []).append(line)
    for fight in fights:
        weapon, enemy = fight.weapon, fight.enemy
        chance = (odds or {}).get((weapon, enemy))
        words = f"{chance[0].damage:.1f}, suffers {chance[1].damage:.1f}" if chance else ""
        kill = f"{chance[0].kill:.0%}" if chance else ""
        below.setdefault(weapon, []).append(OddsLine(names(enemy), words, kill))
    return ChoiceRows(draft.choices, tuple(draft.marked), prompt.kind == "some", draft.is_led, beside, below)


def in_names(match: Match, text: str) -> str:
    """A sentence of the engine with operatives and terrain called by their names instead of their ids."""
    state = match.game.state
    for id in sorted(state.operatives, key=len, reverse=True):
        text = text.replace(id, state.operatives[id].name)
    return readable(text, match.game.battle.table.terrain_in(state))


def named_route(match: Match, route: Route | None) -> Route | None:
    """The route with names in what is said of it."""
    if route is None:
        return None
    legs = tuple(replace(leg, note=in_names(match, leg.note)) for leg in route.legs)
    return replace(route, legs=legs, refusal=in_names(match, route.refusal))


def question_of(match: Match, draft: Draft, rows: ChoiceRows) -> Question:
    seat = draft.prompt.seat if draft.prompt.seat in SIDES else draft.prompt.roller
    team = match.team("red" if seat == "red" else "blue") if seat in SIDES else ""
    return Question(
        draft.prompt,
        team,
        rows,
        in_names(match, draft.problem()) if draft.prompt.needs_confirming else "",
        tuple(map(place_words, draft.points)),
        named_route(match, draft.route),
        tuple(draft.dice),
        answer_words(draft.decision, draft.suggestion) if draft.prompt.kind == "other" else "",
        match.hint,
        draft.can_cancel,
        match.privacy.may_peek and not match.privacy.is_peeking,
        match.privacy.is_peeking,
        match.may_help,
        match.helped if not draft.prompt.is_secret else 0,
        draft.is_offered,
        draft.putting is not None or draft.can_turn_figure,
        match.may_prepare and draft.prompt.topic != "gambit",  # there passing until the firefight is the same
        match.may_step_back,
    )


# -- the table ---------------------------------------------------------------------------------------


def standing_marks(match: Match) -> list[Overlay]:
    """What lies on the table whatever is asked: markers, and drop zones while operatives are set up."""
    battle, state = match.game.battle, match.game.state
    items: list[Overlay] = []
    if state.phase == "set-up":
        for side in SIDES:
            items += marks.zone_marks(battle.drop_zone(side), side)
    words = _said(match).lower()
    for marker in state.markers.values():
        items += marks.marker_marks(battle, marker, is_named=battle.name(marker.id).lower() in words)
    return items


def _said(match: Match) -> str:
    """The words on the screen that may name something on the table."""
    draft = match.draft
    if draft is None or match.is_showing:
        return match.reason
    return "\n".join([match.hint, draft.prompt.text, *(f"{row.title} {row.note}" for row in draft.choices)])


def asked_marks(match: Match, scene: Scene, draft: Draft, odds: Odds | None) -> list[Overlay]:
    """Whoever can be chosen, whoever is marked, and whoever the question is about."""
    items: list[Overlay] = []
    battle, prompt = match.game.battle, draft.prompt
    present = {one.id: one for one in scene.operatives}
    for choice in draft.choices:
        one = present.get(choice.operative)
        if one is None:
            continue
        is_marked = choice.key in draft.marked
        items += selection(one) if is_marked else [marks.refused(one) if choice.refusal else marks.candidate(one)]
        if prompt.topic == "target" and not choice.refusal:
            chance = next((found[0] for (_, target), found in (odds or {}).items() if target == one.id), None)
            text = f"{battle.name(one.id)} {chance.kill:.0%}" if chance is not None else battle.name(one.id)
            items.append(marks.words_over(one, text, is_marked=is_marked))
        elif is_marked:
            items.append(marks.words_over(one, battle.name(one.id), is_marked=True))
    for line in battle.board.terrain.walls:
        able = [choice.title for choice in draft.choices if line.id in choice.features and not choice.refusal]
        if able:
            items += marks.opening_marks(line, " / ".join(able))
    acting = present.get(prompt.operative)
    if acting is not None:
        items += [*selection(acting), marks.words_over(acting, battle.name(acting.id))]
    if match.hinted is not None and match.hinted.operative in present:
        items += plan_marks(battle, scene, match.hinted, "by this plan")
    return items


def ruled(match: Match, scene: Scene, draft: Draft) -> list[Overlay]:
    """The engine's own lines for the marked target."""
    battle, aim = match.game.battle, draft.decision.about
    table = battle.table
    if not isinstance(aim, Aim) or not isinstance(table, SightTable):
        return []
    who = battle.state.operatives[aim.operative]
    rules = battle.weapon_rules(who, battle.weapon(who, aim.weapon))
    words = tuple(sorted({word for rule in rules for word in rule.sight_words}))
    return ruling_marks_of(scene, table, (aim.operative, draft.marked[0]), words)


def ruling_marks_of(
    scene: Scene, table: SightTable, pair: tuple[str, str], sight_words: tuple[str, ...]
) -> list[Overlay]:
    """The engine's own marks for one shooting at another with a weapon of these words."""
    from ktsim.sight.ruling import ruling

    found = ruling(scene, *pair, table.edition, Weapon(sight_words))
    # Labels of the ruling name operatives by id; the game names them itself.
    return [item for item in overlays_of(scene, view_of(found)) if not isinstance(item, Label)]


def lines_of(items: Sequence[Overlay]) -> tuple[Overlay, ...]:
    """The lines among the marks of a ruling, and where they begin: what is left of them once dice are rolled."""
    return tuple(item for item in items if isinstance(item, (Line, Spot)))


def placed_marks(
    match: Match, draft: Draft, hover: Point | None, reach: Reachable | None, aim: Pointed | None
) -> list[Overlay]:
    """What is being placed or moved: its ghost where it would stand, its route, and what is in reach."""
    battle, prompt = match.game.battle, draft.prompt
    items: list[Overlay] = []
    who = battle.state.operatives.get(prompt.operative)
    operative = operative_of(battle, who) if who is not None else None
    if operative is not None and draft.can_turn_figure:
        operative = replace(operative, turn=float(draft.turn or 0))
    if reach is not None:
        items += reach_marks(reach)
    if isinstance(draft.decision, Walk) and operative is not None:
        if isinstance(draft.decision.about, MoveRequest) and draft.decision.about.teleports and not draft.points:
            pads = pads_of(battle.board.terrain)
            items += [
                marks.pad_mark(pad) for pad in pads if not pad.is_under(operative.x, operative.y, operative.level)
            ]
        if draft.route is not None:
            items += marks.route_marks(draft.route, operative)
        elif draft.points:
            items += marks.ghost_marks(operative, draft.points[-1], True)
        if hover is not None and aim is not None:
            items += marks.ghost_marks(operative, hover, aim.is_legal)
            x, y, level = (value / 1000 for value in hover)
            over = (x, y, level + 1.2)
            if aim.problem:
                items.append(Label(over, in_names(match, aim.problem), "blocked", "cross"))
            elif aim.cost:
                items.append(Label(over, f'{aim.cost}"', "target"))
        return items
    if draft.putting is not None and prompt.kind == "pick" and draft.marked:
        there = draft.putting.piece.point
        return [*items, *marks.ghost_marks(draft.putting.put(there, int(draft.marked[0])), there, True)]
    is_pointed = hover is not None and (draft.is_offered or not draft.points)
    if is_pointed and draft.points:
        items += marks.offered_marks(operative, draft.points[-1])
    point = hover if is_pointed else draft.points[-1] if draft.points else None
    if point is not None and isinstance(draft.decision, Place):
        marker = battle.state.markers.get(prompt.marker)
        radius = marker.radius / 1000 if marker is not None else 0.4
        what: Operative | PieceState | None = operative
        if draft.putting is not None:
            what, problem = draft.piece_at(point)
        else:
            problem = draft.decision.check(point) or ""
        ghosts = marks.ghost_marks(what, point, not problem, radius)
        items += ghosts
        x, y, level = (value / 1000 for value in point)
        tops = [float(item.triangles[..., 2].max()) - level for item in ghosts if isinstance(item, GhostShape)]
        over = (x, y, level + max(tops, default=0.8) + 0.4)
        if problem:
            items.append(Label(over, in_names(match, problem), "blocked", "cross"))
        elif draft.is_offered and not is_pointed:
            items.append(Label(over, "Enter", "target"))
    return items


def log_marks(match: Match, scene: Scene, line: LogLine) -> list[Overlay]:
    """What a line of the log is about."""
    return marks.shown_subjects(match.game.battle, scene, line.subjects, line.path)
