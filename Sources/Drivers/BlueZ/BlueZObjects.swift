import Loop

/// What bluetoothd has, where every part of a source looks it up.
@LoopActor
final class BlueZObjects {
  /// Changed by the source alone, but for ``ObjectTree/pinned``.
  var tree = ObjectTree()

  /// Nothing is known.
  init() {}
}
