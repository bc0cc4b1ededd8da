"""``python -m ktsim``."""

from ktsim.cli import main

raise SystemExit(main())
