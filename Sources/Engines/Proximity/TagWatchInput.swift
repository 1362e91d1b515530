public import Care

/// What the proximity of one resident's tags reacts to.
public enum TagWatchInput: Hashable, Sendable {
  /// A device heard a tag.
  case sighting(TagSighting)
  /// Time has passed; due at ``TagWatch/nextWake``, harmless at any other time.
  case time
  /// A device began or ceased to listen for tags.
  case listening(SourceID, isListening: Bool)
  /// The resident left the home, or came back.
  case outing(isOut: Bool)
  /// These are the resident's tags from now on.
  case tagsChanged([Tag])
  /// These devices listen from now on.
  case hearersChanged([TagHearer])
  /// These numbers hold from now on.
  case settingsChanged(ProximitySettings)
  /// The name of the resident changed; the id is the same.
  case residentChanged(Resident)
}
