"""``python -m graphmem.local``: the supervisor."""

import sys

from graphmem.local.supervise import main

sys.exit(main())
