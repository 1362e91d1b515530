extension Migration {
  /// `care.db`, seventh release: each page of a list costs the same, however long the list is and whatever stands in others.
  ///
  /// Events of a resident, of a type; memos without the diary, and the diary without memos; everybody's messages.
  static let care7 = Migration(
    version: 7,
    statements: """
      CREATE INDEX journal_by_subject ON journal (subject, type, sequence);
      CREATE INDEX note_by_kind ON note (resident, kind, time);
      CREATE INDEX message_by_sent ON message (sent_at);
      """)
}
