/// Holds a value at a distance of one pointer, with the behaviour of a value.
///
/// A core is copied for each command that may be refused: so the copy is cheap until it changes. And the layout of a
/// core does not depend on that of the engines, which those who build on the core do not see.
struct Distant<Content: Sendable>: Sendable {
  private var storage: [Content]

  init(_ content: Content) { storage = [content] }

  var content: Content {
    get { storage[0] }
    _modify { yield &storage[0] }
  }
}
