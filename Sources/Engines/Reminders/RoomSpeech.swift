import Care
import Moments
import Texts

/// What is said in the room of items and to residents.
struct RoomSpeech {
  let courses: Courses
  let household: Household

  /// Chime, name, time, one action: what is asked for, and how many others there are.
  func reminder(
    of ids: [RoutineItemID], others: Int, to resident: ResidentID
  ) -> [SoundPart] {
    let words = household.sentences(of: resident)
    let heard = ids.filter { courses[$0] != nil }
    let items = heard.compactMap { courses[$0]?.item }
    let times = heard.map { timeAhead(of: $0) }
    let action =
      items.count == 1 && others == 0
      ? words.action(items[0], time: times[0]) : words.action(items, times: times, others: others)
    let zone = household.residents[resident]?.timeZone ?? "UTC"
    return [
      .pattern("reminder"), .speech(words.greeting),
      .clock(timeZone: zone, language: words.language.rawValue), .speech(action),
    ]
  }

  /// The voice of somebody close; nil where an item has none.
  func recording(of id: RoutineItemID) -> [SoundPart]? {
    courses[id]?.item.recording.map { [.pattern("reminder"), .file($0)] }
  }

  /// The time of day that is meant, where quiet hours have it asked before its time.
  private func timeAhead(of id: RoutineItemID) -> String? {
    guard let course = courses[id], let open = course.open?.occurrence else { return nil }
    let time = household.ownTime(of: open, course.item)
    return time > open.due ? household.clockText(time, course.item) : nil
  }

  /// That something will be due soon; nil where it will not.
  func notice(of id: RoutineItemID, at now: Moment) -> [SoundPart]? {
    guard let course = courses[id], let next = course.next, next.instant > now.utc else {
      return nil
    }
    let minutes = (next.instant.milliseconds(since: now.utc) + 59_999) / 60_000
    let words = household.sentences(of: course.item.resident)
    return [
      .pattern("reminder"), .speech(words.greeting),
      .speech(words.notice(course.item, minutes: minutes)),
    ]
  }

  /// What may be heard within the next 24 hours.
  func sentencesAhead(at now: Moment) -> [Sentence] {
    let end = now.utc.advanced(byMilliseconds: 86_400_000)
    var sentences: [Sentence] = []
    var greeted: Set<ResidentID> = []
    for id in courses.ids {
      guard let course = courses[id], course.item.isOn else { continue }
      guard course.open != nil || course.next.map({ $0.instant < end }) ?? false else { continue }
      let words = household.sentences(of: course.item.resident)
      if greeted.insert(course.item.resident).inserted {
        sentences += [words.greeting, words.praise]
      }
      sentences.append(words.action(course.item))
      if let next = course.next, next.instant < next.due,
        let time = household.clockText(next.due, course.item)
      {
        sentences.append(words.action(course.item, time: time))
      }
      let notice = household.timing(of: course.item).noticeMinutes
      if notice > 0 { sentences.append(words.notice(course.item, minutes: notice)) }
    }
    return sentences
  }
}
