"""Files that people have, as episodes: exports of chats, mail, logs of agents, subtitles, tables, notes, documents.

It knows nothing of the service. A file is recognised by what is in it (``formats``), read one turn after the other,
and looked through once before the episodes are made (``episodes``).
"""
