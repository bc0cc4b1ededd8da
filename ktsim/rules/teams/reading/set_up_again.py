"""Effects of being set up again instead of moving: how far, and where to."""

from __future__ import annotations

from ktsim.rules.teams.language.values import term
from ktsim.rules.teams.reading.clauses import Do, Refers, Says
from ktsim.rules.teams.reading.names import G

G.says("clause", "(it|this operative|that operative) can (fly|<word> jump|<word>)")(
    lambda _, word: Do((term("relocate", no_engage=True),), True) if word is None or word == "warp" else NotImplemented
)
_RELOCATE = frozenset(("relocate",))
G.means("clause", Says(), "do not move it")
G.says("reach", "<inches>")(lambda n: {"": n})
G.says("reach", "a distance equal to its move stat")(lambda: {"own-move": True})
G.says("reach", "<reach> \\( or <inches> if it was a dash \\)")(lambda reach, n: {**reach, "dash": n})
G.says(
    "clause",
    "[instead [,]] remove it from the killzone and set it back up wholly within <reach> of its original location",
)(lambda reach: Refers(_RELOCATE, reach))
G.means("clause", Refers(_RELOCATE, {"horizontally": True}), "measuring [the] horizontal distance only")
G.means(
    "clause",
    Refers(_RELOCATE, {"through-walls": True}),
    "in [a] killzone <anything> , this distance can be measured through walls",
)
G.means(
    "clause",
    Refers(_RELOCATE),
    "in a killzone that uses the close quarters rules",
    "(this distance cannot be measured|you cannot measure the distance) over or through wall terrain",
    "(that operative|it) cannot be set up on the other side of an access point",
    "[note that] it gains no additional distance when performing the charge action",
    "it must be set up in a location it can be placed",
)
G.means(
    "clause",
    Refers(_RELOCATE, {"no-engage": True}),
    "unless it (is|was) the charge action , it cannot be set up within control range of [an] enemy "
    "operative/operatives",
)
