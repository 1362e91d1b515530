import Care
import Moments

/// One step of the engine: when it is, and what follows.
struct Step {
  let now: Moment
  /// The house in which it happens; what was due before happens in the house as it was then.
  var household: Household
  /// Whether anybody hears what is said in the room.
  private let isHeard: Bool
  /// Pictures that are stored, where the step was asked for an item.
  let pictures: Set<PictureID>
  var outcome = Outcome()
  /// Items whose row has to be written.
  var touched: Set<RoutineItemID> = []
  /// When items want to be looked at from now on.
  var wakes: [Wake] = []
  /// What is to be heard of items in the room, and what not any more, in order.
  var room: [RoomNews] = []

  init(_ world: World, _ household: Household) {
    now = world.now
    self.household = household
    isHeard = world.silence == nil
    pictures = world.pictures
  }

  /// What can be told now.
  private var news: ReminderNews {
    ReminderNews(household: household, now: now, isHeard: isHeard)
  }

  /// Tells of a due time of an item: the open one unless another is given.
  ///
  /// - Parameter isKnown: whether caregivers were told of it before.
  mutating func tell(
    _ type: EventType, _ course: Course, of closed: Occurrence? = nil, isKnown: Bool = false
  ) {
    outcome.events.append(news.event(type, course, of: closed, isKnown: isKnown))
  }

  /// Tells that something will be due soon.
  mutating func tellNotice(_ course: Course, _ slot: DueSlot, isLeaving: Bool) {
    outcome.events.append(news.notice(course, slot, isLeaving: isLeaving))
  }

  /// Tells of many due times that passed unseen.
  mutating func tellGap(_ course: Course, from start: Timestamp) {
    outcome.events.append(news.gap(course, from: start))
  }

  /// Tells that a stock runs out.
  mutating func tellStock(_ course: Course, _ stock: Stock, days: Int64) {
    outcome.events.append(news.stock(course, stock, days: days))
  }

  /// Tells that an item was changed, or removed.
  mutating func tellChange(
    _ action: String, _ item: RoutineItem, from previous: RoutineItem? = nil,
    next: DueSlot? = nil, by person: String
  ) {
    outcome.events.append(
      news.change(action, item, from: previous, next: next, by: person))
  }
}
