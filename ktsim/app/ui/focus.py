"""Walking through the widgets with the keyboard: Tab and Shift+Tab in the order they stand, arrows to the next one in
a direction, Enter and Space to press. While nobody walks, these keys belong to the screen."""

from __future__ import annotations

from ktsim.app.ui.pen import Rect

PRESSING = ("enter", "space")
WAYS = {"arrow_left": (-1, 0), "arrow_right": (1, 0), "arrow_up": (0, -1), "arrow_down": (0, 1)}
ASIDE = 3.0
"""How much further something beside an arrow's way counts than something on it."""


class Focus:
    """Which widget the keyboard is at. Filled while a frame is drawn, asked between frames."""

    def __init__(self) -> None:
        self.name = ""
        """The widget the keyboard is at, or would walk on from."""
        self.is_walking = False
        """Whether the widget is ringed and the keys go to it."""
        self.is_new = False
        """Whether the keyboard has just come to it: it is to be seen, and a field to be typed in."""
        self._order: dict[str, Rect] = {}
        self._fields: set[str] = set()
        self._was: tuple[dict[str, Rect], set[str]] = ({}, set())
        """The widgets of the last whole frame, in order, and those among them that are typed in."""
        self._pressed = ""

    # ---- while a frame is drawn -----------------------------------------------------------------------------
    def begin(self) -> None:
        self._order, self._fields = {}, set()

    def meet(self, name: str, rect: Rect, *, is_field: bool = False) -> bool:
        """A widget stands there; whether the keyboard is at it."""
        self._order[name] = rect
        if is_field:
            self._fields.add(name)
        return self.is_walking and name == self.name

    def takes_press(self, name: str) -> bool:
        """Whether a key presses that widget now; a press is taken once."""
        if self._pressed != name or not name:
            return False
        self._pressed = ""
        return True

    def end(self) -> Rect | None:
        """Where the ring goes. Whoever walked on a widget that is gone walks no more."""
        self._was = (self._order, self._fields)
        self._pressed, self.is_new = "", False
        if self.is_walking and self.name not in self._order:
            self.stop()
        return self._order[self.name] if self.is_walking else None

    # ---- between frames -------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        """Every widget that can be walked to, in order."""
        return tuple(self._was[0])

    @property
    def is_at_field(self) -> bool:
        return self.is_walking and self.name in self._was[1]

    def stop(self) -> None:
        """Walk no more; Tab goes on from here."""
        self.is_walking = False

    def at(self, name: str) -> None:
        """Be at a widget without walking: it was pressed, or another screen that was left there is back."""
        self.name = name

    def step(self, by: int) -> None:
        """To the next widget, or the one before; round and round."""
        names = self.names
        if names:
            now = names.index(self.name) if self.name in names else -1 if by > 0 else 0
            self._go(names[(now + by) % len(names)])

    def key(self, key: str) -> bool:
        """A key while somebody walks; whether it was meant for the widgets."""
        if not self.is_walking or self.is_at_field:
            return self.is_at_field
        if key in PRESSING:
            self._pressed = self.name
        elif key in WAYS:
            self._aim(*WAYS[key])
        else:
            return False
        return True

    def _go(self, name: str) -> None:
        self.name, self.is_walking, self.is_new = name, True, True

    def _aim(self, dx: int, dy: int) -> None:
        """To the nearest widget in a direction; where there is none it stays, and so it does on a screen that is back
        and not drawn yet."""
        rects = self._was[0]
        here = rects.get(self.name)
        if here is None:
            return
        found: list[tuple[float, str]] = []
        for name, there in rects.items():
            right, below = there.x - here.right, there.y - here.bottom
            left, above = here.x - there.right, here.y - there.bottom
            ahead, aside = (right if dx > 0 else left, max(below, above)) if dx else (
                below if dy > 0 else above, max(right, left)
            )  # fmt: skip
            if name != self.name and ahead >= -1.0:
                across = abs(there.y - here.y) if dx else abs(there.x - here.x)
                found.append((ahead + ASIDE * max(aside, 0.0) + across / 100, name))
        if found:
            self._go(min(found)[1])
