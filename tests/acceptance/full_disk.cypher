// name: fill
// mode: write
// returns: nothing
// params: number, text
// all groups because it belongs to none
// Writes something large.
CREATE (:Filler {number: $number, text: $text});

// name: filled
// mode: read
// returns: one
// row: FilledRow
// params: none
// timeless because it is of this test alone
// all groups because it belongs to none
// Counts what was written.
MATCH (f:Filler)
WHERE f.number >= 0
RETURN count(f) AS count;
