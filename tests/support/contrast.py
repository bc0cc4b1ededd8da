"""How well a colour is told from another."""

from __future__ import annotations

from ktsim.app.ui.theme import channels


def contrast(a: str, b: str) -> float:
    """The contrast ratio of two colours after WCAG, 1 to 21."""

    def luminance(colour: str) -> float:
        values = [c / 255 for c in channels(colour)]
        linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)
