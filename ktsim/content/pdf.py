"""A PDF whose pages are pictures: as much of the format as printing needs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ktsim.content.png_text import packed_rows

A4 = (595.276, 841.89)
"""Width and height in points."""


def pdf_of(pages: Iterable[NDArray[np.uint8]], size: tuple[float, float] = A4, title: str = "") -> bytes:
    """A document with one page for each picture (height, width, 3), first row at the top, filling the page."""
    bodies: list[bytes] = [b"", b"", b""]  # the catalogue, the list of pages and the title come first
    kids = []
    width, height = size
    for pixels in pages:
        tall, wide, _ = pixels.shape
        number = len(bodies) + 1
        head = (
            f"<</Type/XObject/Subtype/Image/Width {wide}/Height {tall}/ColorSpace/DeviceRGB/BitsPerComponent 8"
            f"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 3/Columns {wide}>>"
        )
        bodies.append(_stream(head, packed_rows(pixels)))
        bodies.append(_stream("<<", f"q {width:g} 0 0 {height:g} 0 0 cm /P Do Q".encode()))
        bodies.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:g} {height:g}]"
            f"/Resources<</XObject<</P {number} 0 R>>>>/Contents {number + 1} 0 R>>".encode()
        )
        kids.append(f"{number + 2} 0 R")
    bodies[0] = b"<</Type/Catalog/Pages 2 0 R>>"
    bodies[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    bodies[2] = b"<</Title<" + ("\ufeff" + title).encode("utf-16-be").hex().encode() + b">>>"
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<</Size {len(bodies) + 1}/Root 1 0 R/Info 3 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def _stream(head: str, data: bytes) -> bytes:
    return f"{head}/Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"
