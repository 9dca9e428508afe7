"""Neo4j's own program for databases that do not run, ``neo4j-admin``, on the jars and the Java that run Neo4j."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from graphmem.errors import LocalServerError
from graphmem.local.neo4j.java import find_java
from graphmem.local.neo4j.server import java_arguments, jvm_options, pinned_jars
from graphmem.local.process import describe_exit
from graphmem.process.fetch import default_cache, fetch_jars

DATABASE = "neo4j"
"""The database of the managed Neo4j: Community Edition has no other one but ``system``."""
_MAIN_CLASS = "org.neo4j.cli.AdminTool"
_LAST = 20


@dataclass(frozen=True, slots=True)
class Neo4jAdmin:
    """Dumps and loads the database of a Neo4j, by its home folder. ``environ`` is the environment of Java.

    Raises:
        LocalServerError: of any call, where there is no Java for it, or its jars cannot be fetched.
    """

    environ: Mapping[str, str]

    def dump(self, home: Path, folder: Path) -> None:
        """Write ``neo4j.dump`` into a folder.

        Raises:
            LocalServerError: the database was not shut down cleanly, is in use, or cannot be read.
        """
        self._run(home, "database", "dump", DATABASE, f"--to-path={folder}")

    def load(self, home: Path, folder: Path) -> None:
        """Make the database of what is in ``neo4j.dump`` of a folder.

        Raises:
            LocalServerError: it cannot be read, or there is a database.
        """
        self._run(home, "database", "load", DATABASE, f"--from-path={folder}")

    def _run(self, home: Path, *arguments: str) -> None:
        java, jars = find_java(self.environ), fetch_jars(pinned_jars(), default_cache())
        with TemporaryDirectory(prefix="graphmem-") as conf:
            options = Path(conf, "java.args")
            options.write_text(java_arguments(jvm_options(java), jars), encoding="utf-8")
            Path(conf, "neo4j.conf").touch()
            done = subprocess.run(
                [str(java.executable), f"@{options}", _MAIN_CLASS, *arguments],
                env={**self.environ, "LC_ALL": "C.UTF-8", "NEO4J_HOME": str(home), "NEO4J_CONF": conf},
                cwd=home,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                umask=0o077,
                check=False,
            )
        if done.returncode:
            told = "\n".join(done.stdout.decode("utf-8", "replace").splitlines()[-_LAST:])
            raise LocalServerError(
                f"Neo4j's {' '.join(arguments[:2])} failed ({describe_exit(done.returncode)}). It says:\n{told}"
            )
