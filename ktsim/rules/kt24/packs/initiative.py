"""Who has the initiative: by scouting options first (2024), or by a roll-off and cards every time (2025)."""

from __future__ import annotations

from collections.abc import Mapping

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick, roll
from ktsim.rules.engine.events import InitiativeGiven, Noted, PhaseBegan, Told
from ktsim.rules.engine.state import SIDES, Side, other
from ktsim.rules.engine.turn import give_initiative, roll_both
from ktsim.rules.kt24.packs.scouting import BEATS, scouting_key
from ktsim.rules.kt24.turn import initiative

RE_ROLL = "re-roll"
CARDS = (RE_ROLL, "1", "2", "3")


def initiative_by_scouting(battle: Battle) -> Steps[None]:
    """KT24-SCOUT for the first turning point: the better option has it; of equal ones, whoever had it not decides."""
    state = battle.state
    if state.turning_point >= 2:
        yield from initiative(battle)
        return
    assert state.initiative is not None
    options = {side: state.choices[scouting_key(side)] for side in SIDES}
    winner = next((side for side in SIDES if BEATS[options[side]] == options[other(side)]), None)
    if winner is None:
        yield from give_initiative(battle, other(state.initiative))
    else:
        yield Told(f"Scouting: {options[winner]} beats {options[other(winner)]}.", "KT24-SCOUT")
        yield InitiativeGiven(winner)
    yield PhaseBegan("ready", state.turning_point, None)


# -- initiative cards --------------------------------------------------------------------------------


def card_key(side: Side, card: str) -> str:
    """Under which key of ``State.notes`` stands whether the side has an initiative card."""
    return f"{side}:card:{card}"


def cards_of(battle: Battle, side: Side) -> list[str]:
    return [card for card in CARDS if battle.state.notes.get(card_key(side, card))]


def initiative_by_cards(battle: Battle) -> Steps[None]:
    """Roll-off without re-rolling ties, then cards, loser first, until both pass in a row or have none.

    The player without initiative wins ties. In the first turning point that is the player who did not pick the drop
    zones, who starts with the Re-roll card. The loser of what the cards made of the roll-off gains the card of the
    turning point.
    """
    state = battle.state
    had = state.initiative
    assert had is not None
    if state.turning_point == 1:
        yield Noted(card_key(other(had), RE_ROLL), 1)
        yield Told("{0} has the Re-roll card.", "KT24-INIT", (other(had),))
    results = yield from roll_both(battle)
    turn, passes = other(leader(results, had)), 0
    while passes < 2:
        card = yield from _play(battle, turn, results)
        passes = passes + 1 if card is None else 0
        turn = other(turn)
    winner = leader(results, had)
    if state.turning_point < battle.edition.turning_points:
        loser, card = other(winner), str(state.turning_point)
        yield Noted(card_key(loser, card), 1)
        yield Told(f"{{0}} gains the card +-{card}.", "KT24-INIT", (loser,))
    yield from give_initiative(battle, winner)
    yield PhaseBegan("ready", state.turning_point, None)


def leader(results: Mapping[Side, int], had: Side) -> Side:
    """Who is ahead in the roll-off."""
    if results["red"] == results["blue"]:
        return other(had)
    return "red" if results["red"] > results["blue"] else "blue"


def _play(battle: Battle, side: Side, results: dict[Side, int]) -> Steps[str | None]:
    """*side* plays a card on its own result, or passes; *results* is changed accordingly."""
    options, values = [Option("pass", "No card")], {"pass": ("", 0)}
    for card in cards_of(battle, side):
        if card == RE_ROLL:
            options.append(Option(card, "Re-roll card: roll your die again"))
            values[card] = (card, 0)
            continue
        for sign in ("+", "-"):
            options.append(Option(f"{sign}{card}", f"Card {sign}{card}"))
            values[f"{sign}{card}"] = (card, int(f"{sign}{card}"))
    told = ", ".join(f"{battle.teams[each].name} {results[each]}" for each in ("blue", "red"))
    prompt = f"Play an initiative card? The roll-off stands at {told}."
    card, change = yield from pick(side, "card", prompt, options, values, default="pass")
    if not card:
        return None
    yield Noted(card_key(side, card), 0)
    if card == RE_ROLL:
        (results[side],) = yield from roll(1, "initiative re-roll", "Re-roll card", side)
        yield Told(f"{{0}} plays the Re-roll card and rolls {results[side]}.", "KT24-INIT", (side,))
    else:
        results[side] += change
        yield Told(f"{{0}} plays {change:+d}: {results[side]}.", "KT24-INIT", (side,))
    return card
