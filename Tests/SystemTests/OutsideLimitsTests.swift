import Care
import Foundation
import TestSupport
import Testing

/// The real daemon while somebody else sets its limits, as any process of the same user can.
@Suite(.serialized) struct OutsideLimitsTests {
  @Test(
    "A limit on the size of files does not end the daemon, and an alarm reaches the broker",
    .timeLimit(.minutes(2)))
  func sizeOfFiles() throws {
    let broker = try Broker()
    try broker.start()
    let gateway = try RunningGateway(broker: broker.port)
    let news = try Receiver(
      port: broker.port, gateway: RunningGateway.name, log: gateway.directory.path(of: "received"))
    try #require(broker.hasSubscriber())
    try gateway.start()
    let load = CommandLoad(socketPath: gateway.socketPath)
    try #require(Eventually.holds(withinSeconds: 20) { load.connect() }, "\(gateway.log)")
    let mary = Resident(id: "mary", name: "Mary", timeZone: "UTC")
    #expect(try load.send([("r", .putResident(mary))]) == 1)
    let pid = try #require(gateway.process?.pid)
    let prlimit = try ChildProcess(
      "prlimit", ["--pid", "\(pid)", "--fsize=0"], log: gateway.directory.path(of: "prlimit.log"))
    try #require(prlimit.wait() == 0, "\(prlimit.log)")

    let alarm = AlarmRequest.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")
    _ = try load.send([("sos", .alarm(alarm))], until: Date().addingTimeInterval(1))
    #expect(
      Eventually.holds(withinSeconds: 30) { news.arrivals().contains { $0.lane == "alarm" } },
      "\(gateway.log)")
    #expect(gateway.process?.isRunning == true, "\(gateway.log)")
    gateway.kill()
  }

  @Test("Signals of limits and descriptors that somebody else set do not end the daemon")
  func signals() throws {
    let gateway = try TalkingGateway()
    let pid = try #require(gateway.gateway.process?.pid)
    for number in [SIGXFSZ, SIGXCPU, SIGIO, SIGUSR1, SIGUSR2] { #expect(kill(pid, number) == 0) }
    try gateway.perform(.putResident(Resident(id: "ada", name: "Ada", timeZone: "UTC")))
    #expect(gateway.gateway.process?.isRunning == true)
  }
}
