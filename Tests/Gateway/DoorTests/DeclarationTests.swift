import Care
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// Everything that can be asked is declared once, and nothing else is.
@Suite("Declarations") struct DeclarationTests {
  /// The sources of a folder below `Sources`, as one text.
  private static func sources(_ folder: String) throws -> String {
    let path = Checkout.path("Sources/\(folder)")
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8) }
      .joined(separator: "\n")
  }

  @Test("Each route that is written down is in the list, under a name of its own")
  func routes() throws {
    let written = try Self.sources("Gateway/Door").matches(of: /static let \w+ = Route\(/).count
    #expect(written == Route.all.count)
    #expect(Set(Route.all.map(\.name)).count == Route.all.count)
    for route in Route.all {
      #expect(Route.named(route.name) == route)
      let names = route.parameters.map(\.name)
      #expect(Set(names).count == names.count, "\(route)")
      #expect(route.disarmingParameter.map(names.contains) ?? true, "\(route)")
      #expect(route.reach.namesResident == route.reach.isNamed, "\(route)")
    }
  }

  @Test("A route whose reach is a resident's takes one, unless it tells of all")
  func residents() {
    for route in Route.all {
      let resident = route.parameters.first { $0.name == "resident" }
      switch route.reach {
      case .resident: #expect(resident?.isOptional == false, "\(route)")
      case .gatewayOrResident: #expect(resident?.isOptional == true, "\(route)")
      case .residents: #expect(resident?.isOptional != false, "\(route)")
      case .account: #expect(route.parameters.first?.name == "account", "\(route)")
      case .gateway, .found, .request: break
      }
      if route.reach == .found { #expect(route.parameters.first?.name == "id", "\(route)") }
    }
  }

  /// Every action that the gateway reads, from where it reads them.
  private static func readActions() throws -> Set<String> {
    Set(
      try [
        "Care", "Formats/GlucoseValues", "Engines/Guidance", "Engines/Accounts", "Engines/Profiles",
        "Engines/Reports",
      ].map(sources)
        .joined()
        .matches(of: /case "([a-z-]+\.[a-z-]+|locate)":/).map { String($0.1) })
  }

  @Test("Each action that the gateway reads has one rule, and no rule is left over")
  func actions() throws {
    let read = try Self.readActions()
    #expect(read.count > 40)
    #expect(Set(CommandRule.all.map(\.action)) == read)
    #expect(CommandRule.all.count == read.count)
    for rule in CommandRule.all { #expect(CommandRule.of(rule.action)?.needs == rule.needs) }
  }

  @Test("Of what is urgent nothing has been forgotten")
  func urgent() {
    #expect(
      Set(Route.all.filter(\.isUrgent).map(\.name))
        == ["residents.list", "guardians.list", "alarms.list", "alarm.linked"])
    #expect(
      Set(CommandRule.all.filter(\.isUrgent).map(\.action))
        == [
          "sos.raise", "sos.cancel", "alarm.acknowledge", "alarm.resolve", "alarm.silence",
          "guidance.start", "guidance.answer", "guidance.repeat",
        ])
  }
}

extension Route.Reach {
  fileprivate var isNamed: Bool {
    [Route.Reach.resident, .residents, .gatewayOrResident].contains(self)
  }
}
