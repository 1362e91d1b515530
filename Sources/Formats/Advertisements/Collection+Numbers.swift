extension Collection<UInt8> {
  /// The number that up to eight bytes are, the lowest first.
  var littleEndian: UInt64 { reversed().bigEndian }

  /// The number that up to eight bytes are, the highest first.
  var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
