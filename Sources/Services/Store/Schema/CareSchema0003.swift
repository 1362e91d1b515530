extension Migration {
  /// `care.db`, third release: the routine and its due times, memos, diary, messages and pictures.
  ///
  /// Times are milliseconds since 1970-01-01T00:00:00Z. `routine_item.content` is the item as JSON, with what people look
  /// for beside it; `note.tags` is a JSON array. The slot of an occurrence is unique among the item's for ever, and the
  /// occurrences of a removed item stay. The files of pictures are named by `picture.id`, the SHA-256 of their content.
  static let care3 = Migration(
    version: 3,
    statements: """
      CREATE TABLE routine_item (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
        is_on INTEGER NOT NULL, content TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX routine_item_by_resident ON routine_item (resident);
      CREATE TABLE occurrence (
        item TEXT NOT NULL, slot TEXT NOT NULL, resident TEXT NOT NULL, due INTEGER NOT NULL,
        state TEXT NOT NULL, prompts INTEGER NOT NULL, snoozes INTEGER NOT NULL,
        is_told INTEGER NOT NULL, changed_at INTEGER NOT NULL, answered_by TEXT NOT NULL,
        reason TEXT NOT NULL, is_late INTEGER NOT NULL, PRIMARY KEY (item, slot)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX occurrence_by_due ON occurrence (resident, due);
      CREATE INDEX occurrence_of_item ON occurrence (item, due);
      CREATE INDEX occurrence_open ON occurrence (item, slot)
        WHERE state IN ('pending', 'prompted', 'snoozed');
      CREATE TABLE note (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
        text TEXT NOT NULL, tags TEXT NOT NULL, time INTEGER NOT NULL, author TEXT NOT NULL,
        changed_at INTEGER NOT NULL, revision INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX note_by_time ON note (resident, time);
      CREATE TABLE note_picture (
        note TEXT NOT NULL, position INTEGER NOT NULL, picture TEXT NOT NULL,
        PRIMARY KEY (note, position)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX note_picture_by_picture ON note_picture (picture);
      CREATE TABLE picture (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, media_type TEXT NOT NULL,
        bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE message (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, direction TEXT NOT NULL, sender TEXT NOT NULL,
        text TEXT NOT NULL, sent_at INTEGER NOT NULL, spoken_at INTEGER, read_at INTEGER,
        read_by TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX message_by_time ON message (resident, sent_at);
      CREATE INDEX message_unread ON message (sent_at) WHERE read_at IS NULL;
      """)
}
