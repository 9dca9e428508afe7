"""``python -m graphmem.local``: the supervisor."""

import sys

from graphmem.local.command import main

sys.exit(main())
