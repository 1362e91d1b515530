/// What an engine tells the others within a step; nothing of it leaves the core.
public enum Signal: Hashable, Sendable {
  /// What a tag at home says of a resident.
  case homeTag(HomeTagVerdict, of: ResidentID)
}
