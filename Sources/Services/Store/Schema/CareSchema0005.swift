extension Migration {
  /// `care.db`, fifth release: a checksum for each row that decides who is called, by what, and when; and what was lost.
  ///
  /// See ``RowChecksum``. The journal is too long to be gone through: events up to the number that `meta` has as
  /// `journal_unchecked` are without a checksum. `damaged_row` keeps what nobody could read and no copy had, by table and key, so that it is
  /// told until somebody has put it right.
  static let care5 = Migration(
    version: 5,
    statements: """
      ALTER TABLE meta ADD COLUMN checksum INTEGER;
      UPDATE meta SET checksum = homeward_checksum('meta', name, content);
      ALTER TABLE resident ADD COLUMN checksum INTEGER;
      UPDATE resident SET checksum = homeward_checksum('resident', id, name, time_zone, gps_source);
      ALTER TABLE zone ADD COLUMN checksum INTEGER;
      UPDATE zone SET checksum = homeward_checksum('zone', id, resident, name, latitude, longitude,
        radius_meters, exit_margin_meters, is_home);
      ALTER TABLE bookmark ADD COLUMN checksum INTEGER;
      UPDATE bookmark SET checksum = homeward_checksum('bookmark', id, resident, name, address,
        latitude, longitude);
      ALTER TABLE guardian ADD COLUMN checksum INTEGER;
      UPDATE guardian SET checksum = homeward_checksum('guardian', id, resident, content);
      ALTER TABLE setting ADD COLUMN checksum INTEGER;
      UPDATE setting SET checksum = homeward_checksum('setting', resident, name, value);
      ALTER TABLE engine_state ADD COLUMN checksum INTEGER;
      UPDATE engine_state SET checksum = homeward_checksum('engine_state', engine, subject, name,
        content);
      ALTER TABLE routine_item ADD COLUMN checksum INTEGER;
      UPDATE routine_item SET checksum = homeward_checksum('routine_item', id, resident, kind,
        title, is_on, content);
      ALTER TABLE occurrence ADD COLUMN checksum INTEGER;
      UPDATE occurrence SET checksum = homeward_checksum('occurrence', item, slot, resident, due,
        state, prompts, snoozes, is_told, changed_at, answered_by, reason, is_late);
      ALTER TABLE note ADD COLUMN checksum INTEGER;
      UPDATE note SET checksum = homeward_checksum('note', id, resident, kind, title, text, tags,
        time, author, changed_at, revision);
      ALTER TABLE note_picture ADD COLUMN checksum INTEGER;
      UPDATE note_picture SET checksum = homeward_checksum('note_picture', note, position, picture);
      ALTER TABLE picture ADD COLUMN checksum INTEGER;
      UPDATE picture SET checksum = homeward_checksum('picture', id, resident, media_type, bytes,
        width, height);
      ALTER TABLE message ADD COLUMN checksum INTEGER;
      UPDATE message SET checksum = homeward_checksum('message', id, resident, direction, sender,
        text, sent_at, spoken_at, read_at, read_by);
      ALTER TABLE glucose_reading ADD COLUMN checksum INTEGER;
      UPDATE glucose_reading SET checksum = homeward_checksum('glucose_reading', id, resident, time,
        content);
      ALTER TABLE plugin_cursor ADD COLUMN checksum INTEGER;
      UPDATE plugin_cursor SET checksum = homeward_checksum('plugin_cursor', plugin, lane, sequence);
      ALTER TABLE plugin_exception ADD COLUMN checksum INTEGER;
      UPDATE plugin_exception SET checksum = homeward_checksum('plugin_exception', plugin, lane,
        sequence, subject, attempts);
      ALTER TABLE journal ADD COLUMN checksum INTEGER;
      INSERT INTO meta (name, content, checksum)
        SELECT 'journal_unchecked', last, homeward_checksum('meta', 'journal_unchecked', last)
          FROM (SELECT CAST(coalesce(max(sequence), 0) AS TEXT) AS last FROM journal);
      CREATE TABLE damaged_row (
        part TEXT NOT NULL, key TEXT NOT NULL, label TEXT NOT NULL, found_at INTEGER NOT NULL,
        PRIMARY KEY (part, key)
      ) STRICT, WITHOUT ROWID;
      """)
}
