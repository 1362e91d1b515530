import Care
import Moments

/// What is known of each way to a guardian, from what became of the messages that went over it.
struct WayRecords: Hashable, Sendable {
  private var records: [GuardianWay: WayRecord] = [:]

  subscript(way: GuardianWay) -> WayRecord? { records[way] }

  /// All of them, by guardian and channel.
  var all: [(way: GuardianWay, record: WayRecord)] {
    records.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Takes a record as it was stored.
  mutating func restore(_ record: WayRecord, of way: GuardianWay) { records[way] = record }

  /// Takes those of others, which count before its own.
  mutating func merge(_ others: WayRecords) { records.merge(others.records) { $1 } }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    for way in records.keys { records[way]?.mapStamps(change) }
  }

  /// Forgets ways that are gone, and begins to know those that are new.
  ///
  /// - Parameter begins: whether there are new ones; as long as it is not known what is offered there is nothing to wait for.
  mutating func settle(in house: House, begins: Bool, at now: Moment) {
    let kept = records.filter { way, record in
      house.address(of: way) == record.address
    }
    if kept.count != records.count { records = kept }
    guard begins else { return }
    for guardian in house.guardians {
      for (channel, address) in guardian.addresses {
        let way = GuardianWay(guardian: guardian.id, channel: channel)
        guard records[way] == nil else { continue }
        records[way] = WayRecord(resident: guardian.resident, address: address, at: now)
      }
    }
  }

  // MARK: Proof

  /// Learns from what became of a message whether the way works.
  mutating func learn(from report: DeliveryReport, in house: House, at now: Moment) {
    guard let channel = Guardian.Channel(rawValue: report.channel) else { return }
    let way = GuardianWay(guardian: GuardianID(report.recipient), channel: channel)
    let isTest = report.notice == .test
    switch report.outcome {
    case .sent: prove(way, .sent, isTest: isTest, in: house, at: now)
    case .delivered: prove(way, .delivered, isTest: isTest, in: house, at: now)
    case .failed: fail(way, String(report.detail.prefix(300)), in: house, at: now)
    }
  }

  /// An answer to an alarm proves the ways of the plugin that brought it, by which the guardian was told.
  mutating func learn(
    fromAnswerOf guardian: GuardianID, _ principal: Principal, to alarm: LiveAlarm,
    by carriers: Carriers, in house: House, at now: Moment
  ) {
    guard let plugin = principal.plugin else { return }
    for message in alarm.messages.told
    where message.guardian == guardian && message.wasSent
      && carriers.carries(plugin, message.channel)
    {
      prove(message.way, .answer, isTest: alarm.kind == .test, in: house, at: now)
    }
  }

  private mutating func prove(
    _ way: GuardianWay, _ how: WayRecord.Proof, isTest: Bool, in house: House, at now: Moment
  ) {
    change(way, in: house, at: now) { $0.prove(how, isTest: isTest, at: now) }
  }

  mutating func fail(_ way: GuardianWay, _ why: String, in house: House, at now: Moment) {
    change(way, in: house, at: now) { $0.fail(why, at: now) }
  }

  /// Of a way that is gone there is nothing to learn.
  private mutating func change(
    _ way: GuardianWay, in house: House, at now: Moment, _ body: (inout WayRecord) -> Void
  ) {
    guard let guardian = house.guardian(way.guardian),
      let address = guardian.address(by: way.channel)
    else { return }
    var record = records[way] ?? WayRecord(resident: guardian.resident, address: address, at: now)
    body(&record)
    records[way] = record
  }
}

extension House {
  /// Where a way leads now; nil where the guardian is gone, or has none.
  func address(of way: GuardianWay) -> String? {
    guardian(way.guardian)?.address(by: way.channel)
  }
}
