extension Migration {
  /// `care.db`, sixth release: zones with a border, and with hours.
  ///
  /// A checksum that was wrong before stays wrong: what it says of a row is told, and not put right by a new column.
  static let care6 = Migration(
    version: 6,
    statements: """
      ALTER TABLE zone ADD COLUMN border TEXT;
      ALTER TABLE zone ADD COLUMN hours TEXT;
      UPDATE zone SET checksum = homeward_checksum('zone', id, resident, name, latitude, longitude,
        radius_meters, exit_margin_meters, is_home, border, hours)
        WHERE checksum IS homeward_checksum('zone', id, resident, name, latitude, longitude,
          radius_meters, exit_margin_meters, is_home);
      """)
}
