import Accounts
import Care
import Core
import Door
import GlucoseValues
import JSON

/// The household as the core knows it.
struct KnownHousehold: Household {
  let core: GatewayCore

  func subjects(of command: Command) -> Set<Subject> {
    if case .alarm(let request) = command.request, request.resident == nil {
      return subjects(of: request)
    }
    if let request = try? AccountRequest(command.request) {
      switch request {
      case .addScreen(let resident), .showViewCode(let resident), .endView(let resident, _):
        return [.resident(resident)]
      default: break
      }
      return [request.account.map { .account($0) } ?? .gateway]
    }
    var residents = Set([core.resident(concernedBy: .command(command))].compactMap { $0 })
    // What is changed may be somebody else's than whom the change names.
    switch command.request {
    case .note(.put(let note, _)): residents.insert(note.resident)
    case .note(.send(_, let resident, _, _, _, _)): residents.insert(resident)
    case .routine(.put(let item, _)): residents.insert(item.resident)
    case .routine(.replace(let resident, _, let items)):
      residents.formUnion(items.map(\.resident) + [resident])
    case .bluetooth(.putTag(let tag, _)):
      residents.formUnion([tag.resident] + [core.nearby.tag(tag.id)?.resident].compactMap { $0 })
    case .bluetooth(.putMeter(let meter)), .bluetooth(.pairMeter(let meter)):
      residents.formUnion([meter.resident] + owners(of: meter.address))
    case .bluetooth(.removeMeter(let address)): residents.formUnion(owners(of: address))
    default: residents.formUnion(Self.named(by: try? GlucoseRequest(command.request)))
    }
    return residents.isEmpty ? [.gateway] : Set(residents.map { .resident($0) })
  }

  private static func named(by request: GlucoseRequest?) -> [ResidentID] {
    switch request {
    case .put(let reading, _): [reading.resident]
    case .add(let readings, let resident): readings.map(\.resident) + [resident]
    case .remove, .showing, nil: []
    }
  }

  private func owners(of meter: BluetoothAddress) -> [ResidentID] {
    core.nearby.knownMeters.filter { $0.meter.address == meter }.map(\.meter.resident)
  }

  /// Whose alarms are answered: of the one that is named, or of whichever is open.
  private func subjects(of request: AlarmRequest) -> Set<Subject> {
    guard request != .silence else { return [.gateway] }
    let open = core.alarms.summaries().filter { alarm in
      request.target.isEmpty || alarm["alarm"]?.stringContent == request.target
        || alarm["tag"]?.stringContent?.lowercased() == request.target.lowercased()
    }
    guard !open.isEmpty else { return [.gateway] }
    return Set(
      open.map { alarm in
        alarm["resident"]?.stringContent.map { .resident(ResidentID($0)) } ?? .gateway
      })
  }

  func isLast(_ guardian: GuardianID) -> Bool {
    let all = core.household.guardians(of: nil)
    guard let resident = all.first(where: { $0.id == guardian })?.resident else { return false }
    return all.count { $0.resident == resident } == 1
  }
}
