"""``python -m ktsim``, and the workers it starts beside itself."""

import sys

from ktsim import workers

# Where scipy is installed trimesh loads it, which takes a while at every start; nothing here needs it.
sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]

if sys.argv[1:2] == [workers.WORD]:
    raise SystemExit(workers.run(sys.argv[2:]))

from ktsim.cli import main  # noqa: E402  (a worker needs none of it)

raise SystemExit(main())
