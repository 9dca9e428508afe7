"""The trained network on ONNX Runtime, in one thread: three graphs, of turns, of values, and of claims."""

from functools import cached_property
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from graphmem.extract.reader.decoding import ClaimScores, SpanScores
from graphmem.extract.reader.padding import Numbers, Padded, Scores

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

WEIGHTS = files("graphmem.extract.reader") / "weights"


class OnnxNetwork:
    """A ``Network``; its graphs are loaded when they are first asked."""

    def spans(self, turns: Padded) -> SpanScores:
        inputs = {"ids": turns.ids, "types": turns.types, "mask": turns.mask, "of_text": turns.of_text}
        return SpanScores(*self._turns.run(None, inputs))

    def kinds(self, hidden: Scores, rows: Numbers, first: Numbers, last: Numbers) -> Scores:
        (kinds,) = self._values.run(None, {"hidden": hidden, "rows": rows, "first": first, "last": last})
        return kinds

    def claims(self, hidden: Scores, rows: Numbers, predicates: Numbers, first: Numbers, last: Numbers) -> ClaimScores:
        inputs = {"hidden": hidden, "rows": rows, "predicates": predicates, "first": first, "last": last}
        return ClaimScores(*self._claims.run(None, inputs))

    def warm(self) -> None:
        """Load all graphs (a tenth of a second, in the calling thread)."""
        _ = self._turns, self._values, self._claims

    @cached_property
    def _turns(self) -> "InferenceSession":
        return _session("turns.onnx")

    @cached_property
    def _values(self) -> "InferenceSession":
        return _session("values.onnx")

    @cached_property
    def _claims(self) -> "InferenceSession":
        return _session("claims.onnx")


def _session(name: str) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions  # noqa: PLC0415 - half a second of import

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # it keeps a plan for each number of tokens
    options.enable_cpu_mem_arena = False  # what the longest turn needs would be kept for good
    with as_file(WEIGHTS / name) as file:
        return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
