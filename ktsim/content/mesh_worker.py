"""The process that parses one mesh file of a stranger: limits first, then the file, then bytes on stdout.

Exit code 0: triangles as little-endian float64. 3: stdout is a sentence that says what is wrong with the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ktsim.content.mesh_formats import WrongMesh, parse_mesh

MEMORY = 1_000_000_000
SECONDS = 20


def limit_self() -> None:
    """At most 1 GB and 20 s of work, where the system can say so."""
    try:
        import resource
    except ImportError:  # Windows: the parent's time limit remains
        return
    for kind, amount in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        try:
            resource.setrlimit(kind, (amount, amount))
        except (OSError, ValueError):  # some systems refuse one of them
            continue


def main() -> None:
    limit_self()
    path = Path(sys.argv[1])
    try:
        data = parse_mesh(path.read_bytes(), path.suffix.lower()).astype("<f8").tobytes()
    except WrongMesh as error:
        sys.stdout.buffer.write(str(error).encode())
        raise SystemExit(3) from None
    except (MemoryError, RecursionError):
        sys.stdout.buffer.write(b"needs too much memory; simplify it")
        raise SystemExit(3) from None
    sys.stdout.buffer.write(data)
