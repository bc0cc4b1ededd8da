"""Sentences that only say what is so anyway."""

from __future__ import annotations

from ktsim.rules.teams.reading.clauses import Says
from ktsim.rules.teams.reading.names import G

G.means(
    "clause",
    Says(),
    "[note] [that] this is not a change to (its|the|that operative 's) apl stat",
    "so any changes are cumulative with this",
    "[note] [that] <op> is not restricted from performing (those|these|that) actions/action after shooting",
    "[note] [that] <op> is not restricted from performing <actions> after performing <actions>",
    "[note] [that] <rules-list> would therefore be ignored",
    "[note] [that] you cannot benefit from your opponent 's <marker-name>",
    "[note] [that] a comms device from universal equipment only affects the (first|second) distance of this rule",
    "any rules that take effect as a result of retaining a critical success still do",
    "the rules for these actions are found in universal equipment",
    "[this] (takes|taking) precedence over <anything>",
    "[note that] this is cumulative with <anything>",
    "[it is] also ignored for victory conditions [and scoring vps if either] <anything> [, <anything>] [, <anything>]",
    "instead of <inches>",
    "unless otherwise specified , the operative would be injured for this",
    "before it does [so|that]",
    "it is then removed from the killzone as normal",
    "the same is true in reverse",
)
