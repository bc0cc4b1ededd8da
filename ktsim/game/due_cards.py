"""Which reminder cards an event brings up: what the players have to do by hand, shown when it matters."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Reminder
from ktsim.rules.engine.events import Event, PhaseBegan, Told
from ktsim.rules.engine.operative_events import ActivationBegan, Incapacitated
from ktsim.rules.teams.team_rules import due_reminders

ATTACKS = {"KT24-VALID": "shooting", "KT24-FIGHT": "fighting"}
"""What is told when an attack begins, and its moment; both operatives' cards are due."""


def cards_for(battle: Battle, event: Event) -> list[Reminder]:
    """The cards due at *event*, each once."""
    found: list[Reminder] = []
    who = battle.state.operatives
    if isinstance(event, PhaseBegan):
        found = due_reminders(battle, "strategy") if event.phase == "gambit" else []
    elif isinstance(event, ActivationBegan):
        found = due_reminders(battle, "activation", who[event.operative])
        found += due_reminders(battle, "firefight", who[event.operative])
    elif isinstance(event, Incapacitated):
        found = due_reminders(battle, "incapacitated", who[event.operative])
    elif isinstance(event, Told) and event.rule in ATTACKS and len(event.subjects) == 2:
        for id in event.subjects:
            found += due_reminders(battle, ATTACKS[event.rule], who[id])
    return list(dict.fromkeys(found))
