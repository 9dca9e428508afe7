// A name may be that of several entities, which their qualifiers tell apart. What makes one of two with equal name and
// qualifier is their id, which is a hash of all that identifies them.
DROP CONSTRAINT entity_name IF EXISTS;
