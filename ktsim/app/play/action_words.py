"""What each action does, in a sentence of our own, for whoever chooses one."""

from __future__ import annotations

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.state import OperativeState

_WORDS = {
    "Reposition": "Move up to {far}\", not into an enemy's control range.",
    "Normal Move": "Move up to {far}\", not into an enemy's engagement range.",
    "Dash": 'Move up to {far}" more, without climbing.',
    "Charge": "Move up to {far}\" into an enemy's control range, to fight it.",
    "Fall Back": "Move up to {far}\" out of an enemy's control range.",
    "Shoot": "Choose a weapon and a target in sight, and roll.",
    "Fight": "Strike and block with an enemy in control range.",
    "Pick Up Marker": "Carry a marker you control.",
    "Place Marker": "Put down the marker you carry.",
    "Guard": "Wait: shoot or fight during an enemy's next activation.",
    "Operate Hatch": "Open or close the hatchway it touches.",
    "Breach": "Break an opening into the wall it touches.",
    "Quick Breach": "Break an opening into the wall it touches, with tools.",
    "Breaching Charge": "Blow an opening into the wall it touches, once.",
    "Hatchway Fight": 'Fight an enemy within 2" beyond the open hatchway it touches.',
    "Door Fight": 'Fight an enemy within 2" beyond the door it touches.',
    "Point-blank Shot": "Shoot an enemy in control range, less surely; it cannot retaliate afterwards.",
    "Point-blank Overwatch": "Shoot an enemy in engagement range; it does not fight back afterwards.",
    "Overwatch": "Shoot once nobody is ready, with worse hits.",
    "Pass": "Spend an action point on nothing.",
    "Move with Barricade": "Reposition and take the portable barricade along.",
    "Stun Grenade": "Enemies about a place may lose 1 APL.",
    "Smoke Grenade": "Lay smoke: whoever is behind it is obscured.",
    "Own Stun Grenade": "Enemies about a place may lose 1 APL.",
    "Own Smoke Grenade": "Lay smoke: whoever is behind it is obscured.",
    "Ammo Resupply": "Re-roll one attack die whenever it shoots until the end of the turning point.",
    "Pick Up Energy Cell": "Carry an objective marker; it pays at the end.",
    "Reboot": "An inert marker you control counts again.",
    "Download": "Take the download of a marker you control, once for everybody.",
    "Send": "All points of a marker you control become VP.",
    "Compile": "Lay a point on a marker you control, to be sent later.",
    "Move Orb": "Move the Orb from a marker you control to the next one.",
    "Transmit": "A marker you control transmits until the end of the turning point.",
    "Secure": "A marker you control stays yours when you leave.",
    "Loot": "Take loot from a marker you control: 1VP.",
    "Plant Device": "Leave a device on a marker you control.",
    "Scout": "Monitor a ready enemy in sight, on Conceal.",
    "Retrieve": "Take a Retrieval marker from an objective you control.",
    "Plant Banner": "Plant the banner here, deep in the enemy territory.",
    "Clear": "Clear a marker you control.",
}


def described(battle: Battle, who: OperativeState, action: Action) -> str:
    """What *action* would do if *who* performed it; a team's own action in the words of its team's file."""
    if action.name in _WORDS:
        far = action.limited(battle, who).allowance if isinstance(action, Move) else 0
        return _WORDS[action.name].format(far=far)
    text = getattr(getattr(action, "source", None), "text", "")
    own = [each.text for each in battle.card(who).abilities if each.name.startswith(action.name)]
    return str(text or "".join(own[:1])).removeprefix("Unique action.").strip()
