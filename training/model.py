"""The reader as a network: an encoder, a scorer of spans, and what is asked of each span.

Spans are scored as in GlobalPointer (Su et al. 2022, https://arxiv.org/abs/2208.03054), with rotary positions and the
loss for many labels of which few hold ("ZLPR", https://arxiv.org/abs/2208.02955): a score above 0 holds.
"""

import math
from typing import cast

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from graphmem.extract.reader.labels import EFFECTS, PREDICATES, STATUSES
from graphmem.extract.reader.padding import POINTERS

_WIDTH, _KIND, _DETAIL = 64, 384, 256
_NEVER = -1e4


class Reader(nn.Module):
    """``hidden`` first; then ``spans``, ``foreign`` and, of spans, ``kinds`` and ``details``."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        wide = cast("BertConfig", encoder.config).hidden_size
        self.drop = nn.Dropout(0.15)
        self.ends = nn.Linear(wide, 2 * _WIDTH)
        self.end_bias = nn.Linear(wide, 2)
        self.own = nn.Linear(wide, 1)
        self.kind = nn.Sequential(
            nn.Linear(4 * wide, _KIND), nn.GELU(), nn.Dropout(0.2), nn.Linear(_KIND, len(PREDICATES))
        )
        self.predicate = nn.Embedding(len(PREDICATES), _WIDTH)
        labels = len(EFFECTS) + len(STATUSES) + 1
        self.label = nn.Sequential(
            nn.Linear(4 * wide + _WIDTH, _DETAIL), nn.GELU(), nn.Dropout(0.1), nn.Linear(_DETAIL, labels)
        )
        self.asks = nn.Sequential(
            nn.Linear(2 * wide + _WIDTH, _DETAIL), nn.GELU(), nn.Linear(_DETAIL, 2 * len(POINTERS) * _WIDTH)
        )
        self.answers = nn.Linear(wide, 2 * len(POINTERS) * _WIDTH)

    def hidden(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """States of tokens, [batch, tokens, wide]."""
        encoded = self.encoder(input_ids=ids, token_type_ids=types, attention_mask=mask)
        return self.drop(encoded.last_hidden_state)

    def spans(self, hidden: Tensor, of_text: Tensor) -> Tensor:
        """Whether a span is a value, [batch, first token, last token]; ``of_text`` are the tokens of the text."""
        first, last = self.ends(hidden).split(_WIDTH, -1)
        at = torch.arange(hidden.shape[1], device=hidden.device)[:, None]
        score = torch.einsum("bid,bjd->bij", _rotated(first, at), _rotated(last, at)) / math.sqrt(_WIDTH)
        bias = self.end_bias(hidden) / 2
        score = score + bias[:, :, None, 0] + bias[:, None, :, 1]
        ordered = torch.ones(score.shape[-2:], dtype=torch.bool, device=score.device).triu()
        return score.masked_fill(~(of_text[:, :, None] & of_text[:, None, :] & ordered), _NEVER)

    def foreign(self, hidden: Tensor) -> Tensor:
        """Whether a token is of words that are not the speaker's own, [batch, tokens]."""
        return self.own(hidden).squeeze(-1)

    def kinds(self, hidden: Tensor, batch: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """What spans are values of, [spans, predicates]."""
        total = torch.cat([torch.zeros_like(hidden[:, :1]), hidden.cumsum(1)], 1)
        mean = (total[batch, last + 1] - total[batch, first]) / (last - first + 1)[:, None].to(hidden.dtype)
        return self.kind(torch.cat([hidden[batch, first], hidden[batch, last], mean, hidden[batch, 0]], -1))

    def details(
        self, hidden: Tensor, batch: Tensor, predicate: Tensor, first: Tensor, last: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Scores of effects, statuses and ``beside``, [spans, labels]; for each pointer, [spans, 6, tokens]."""
        own = torch.cat([hidden[batch, first], hidden[batch, last], self.predicate(predicate)], -1)
        around = hidden[batch, (first - 1).clamp(min=0)]
        labels = self.label(torch.cat([own, around, hidden[batch, 0]], -1))
        asks = self.asks(own).unflatten(-1, (2 * len(POINTERS), _WIDTH))
        answers = self.answers(hidden).unflatten(-1, (2 * len(POINTERS), _WIDTH))
        asks = _rotated(asks, first[:, None, None])
        answers = _rotated(answers, torch.arange(hidden.shape[1], device=hidden.device)[:, None, None])[batch]
        return labels, torch.einsum("nqd,nlqd->nql", asks, answers) / math.sqrt(_WIDTH)


def _rotated(states: Tensor, at: Tensor) -> Tensor:
    """With positions turned into them (RoPE, https://arxiv.org/abs/2104.09864): products tell how far apart they are.

    ``at`` are whole numbers that fit all but the last dimension of ``states``, which they have with size 1.
    """
    wide = states.shape[-1]
    slow = 10000 ** (-torch.arange(0, wide, 2, device=states.device, dtype=states.dtype) / wide)
    angles = at.to(states.dtype) * slow
    sine, cosine = (wave.repeat_interleave(2, -1) for wave in (angles.sin(), angles.cos()))
    turned = torch.stack([-states[..., 1::2], states[..., ::2]], -1).flatten(-2)
    return states * cosine + turned * sine


def few_of_many(scores: Tensor, right: Tensor) -> Tensor:
    """The loss of [rows, labels] of which those hold whose score is above 0."""
    signed = torch.where(right, -scores, scores)
    nothing = torch.zeros_like(signed[:, :1])
    wrong = torch.cat([signed.masked_fill(right, -math.inf), nothing], 1)
    missed = torch.cat([signed.masked_fill(~right, -math.inf), nothing], 1)
    return (wrong.logsumexp(1) + missed.logsumexp(1)).mean()
