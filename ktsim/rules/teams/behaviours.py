"""What an operative that nobody plays may do, by the words its datacard lists.

The list is tried from the top: the operative does the first thing it can. ``ktsim.game.bots.npo`` follows it.
"""

from __future__ import annotations

BEHAVIOURS = {
    "fight": "Fight the weakest enemy in control range.",
    "charge": "Charge the nearest enemy a Charge can reach.",
    "shoot": "Shoot the target that is likely to suffer most.",
    "point-blank": 'Shoot the same way, but only a target within 6".',
    "mission": "Pick up a marker or perform a mission action.",
    "fall-back": "Fall Back out of control range.",
    "take-cover": "Reposition to cover from which the nearest enemy can be seen, or near it.",
    "advance": "Reposition towards the nearest enemy.",
    "hold": "Reposition to the nearest objective marker, unless one is contested already.",
    "dash": "Dash the same way as the last move.",
}
