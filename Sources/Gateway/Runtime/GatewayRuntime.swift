import Bytes
public import Care
public import Core
public import Door
import JSON
public import Loop
public import Moments
import Notebook
public import Ports
public import Privacy
import Texts

/// Drives the core: takes what sources and people bring, stores what follows, and passes it on.
///
/// Runs on the loop and never waits: the store answers later, and alarms that it cannot write in time go out from memory.
@LoopActor
public final class GatewayRuntime {
  /// Everything outside that the runtime works with.
  public struct Parts {
    /// The journal and everything else that must survive.
    public var store: any CareStore
    /// Both clocks.
    public var clock: any GatewayClock
    /// Devices.
    public var sources: [any ObservationSource]
    /// What sounds and shines in the room, and what reaches people; all of it may be missing.
    public var room = Room()
    /// What listens for tags, buttons and meters; nil for none.
    public var bluetooth: (any BluetoothAdministration)?
    /// Who may make an account by the pages.
    public var signUp = SignUp.anybody
    /// Links in messages to guardians; nil where nobody reaches the pages from outside.
    public var guardianLinks: GuardianLinks?
    /// Told of the tags that are listened for, at the start and when they change.
    public var tagsChanged: (@LoopActor ([KnownTag]) -> Void)?
    /// Where committed events go; nil for none.
    public var forwarder: (any EventForwarder)?
    /// What the owner can do about plugins; nil for none.
    public var plugins: (any PluginAdministration)?
    /// The state directory, as people are shown it.
    public var stateDirectory = ""
    /// Begins a new run from a core's state, so that old inputs can be forgotten and the rest still replayed; nil for never.
    public var renewRun: (@LoopActor (GatewayCore, Moment) -> Run?)?
    /// Called when a resident consented to something or refused it.
    public var consentChanged: (@LoopActor () -> Void)?
    /// Figures of what the runtime does not know, for a monitoring system.
    public var figures: (@LoopActor () -> [MetricSample])?
    /// What may leave towards whoever does not keep the gateway; nil for nothing at all.
    public var privacy: (@LoopActor () -> PrivacyFilter)?
    /// Called with a line for the log; never holds names, positions or health values.
    public var log: (@LoopActor (String) -> Void)?
    /// Called with every event as soon as it is durable (or goes out from memory), for people who watch.
    public var watcher: (@LoopActor (EncodedEvent) -> Void)?

    /// Parts from their values.
    public init(
      store: any CareStore, clock: any GatewayClock, sources: [any ObservationSource] = [],
      forwarder: (any EventForwarder)? = nil, plugins: (any PluginAdministration)? = nil,
      renewRun: (@LoopActor (GatewayCore, Moment) -> Run?)? = nil,
      log: (@LoopActor (String) -> Void)? = nil,
      watcher: (@LoopActor (EncodedEvent) -> Void)? = nil
    ) {
      self.store = store
      self.clock = clock
      self.sources = sources
      self.forwarder = forwarder
      self.plugins = plugins
      self.renewRun = renewRun
      self.log = log
      self.watcher = watcher
    }
  }

  /// A stretch of inputs that is recorded from a known state on, and can be replayed.
  public struct Run {
    /// The core at the start.
    public var core: GatewayCore
    /// The run as it is recorded.
    public var record: RunRecord

    /// A run from its core and record.
    public init(core: GatewayCore, record: RunRecord) {
      self.core = core
      self.record = record
    }
  }

  let parts: Parts
  let coreRun: CoreRun
  let view: CoreView
  let localCommands: LocalCommands
  private var door: CommandDoor
  private var standing = StandingReports()
  private(set) var health = HealthBoard()
  private let startedAt: Moment
  private var counters = RuntimeCounters()

  private var sentencesKeptAt: Tick
  private var isRunning = false
  private var isStepping = false
  private(set) lazy var commits = StepCommits(
    of: coreRun,
    StepCommits.Links(
      store: parts.store, forwarder: parts.forwarder, watcher: parts.watcher, log: parts.log,
      perform: { [weak self] in self?.actions.perform($0) },
      removeFiles: { [weak self] in self?.removeFiles(after: $0) },
      tookBack: { [weak self] in self?.tookBack($0) },
      observer: { [weak self] in self?.observe($0) }))
  private lazy var director = RoomDirector(
    RoomDirector.Links(
      speaker: parts.room.speaker, renderer: parts.room.renderer, buzzer: parts.room.buzzer,
      clockSentence: parts.room.clockSentence,
      recordingFile: { [weak self] id in
        guard let self else { return nil }
        return core.notebook.recording(id).flatMap { self.parts.room.recordings?.path(of: $0) }
      }, observer: { [weak self] in self?.observe($0) }))
  private(set) lazy var outward = OutwardCalls(
    OutwardCalls.Links(
      services: parts.room.services, pictures: parts.room.pictures,
      observer: { [weak self] in self?.observe($0) }, language: core.configuration.language))
  private(set) lazy var pictures = BroughtFiles<Picture>(
    view, keeper: parts.room.notePictures, commands: localCommands, perform: performer)
  private(set) lazy var recordings = BroughtFiles<Recording>(
    view, keeper: parts.room.recordings, commands: localCommands, perform: performer)
  private(set) lazy var linkedAlarms = LinkedAlarms(
    view: view, links: parts.guardianLinks, outward: outward)
  private lazy var speakers = Speakers(
    view: view, clock: parts.clock, linkedAlarms: linkedAlarms, perform: performer)
  private(set) lazy var looks = LookNotes(
    clock: parts.clock, commands: localCommands, perform: performer)
  private(set) lazy var openID = OpenIDLogins(outward, clock: parts.clock)
  private lazy var accountCommands = AccountCommands(
    gate: parts.room.credentials.map { keeper in
      AccountGate(
        keeper: keeper, core: { [weak self] in self?.core },
        now: { [weak self] in self?.parts.clock.now() }, pages: parts.guardianLinks?.pages,
        signUp: parts.signUp,
        notify: { [weak self] in self?.outward.bring($0, completion: $1) },
        onward: { [weak self] command, reply in self?.takeIfRunning(command, reply: reply) })
    }, openID: openID)
  private(set) lazy var pairings = Pairings(localCommands, perform: performer)
  private(set) lazy var searches = DeviceSearches(clock: parts.clock)
  private lazy var radioGate = RadioGate(
    bluetooth: parts.bluetooth, pairings: pairings, searches: searches,
    onward: { [weak self] command, reply in self?.takeIfRunning(command, reply: reply) })
  private lazy var storedContentGate = StoredContentGate(
    store: parts.store,
    onward: { [weak self] command, reply in self?.takeIfRunning(command, reply: reply) })
  private(set) lazy var gatewayStatus = GatewayStatus(
    view: view, clock: parts.clock, store: parts.store, plugins: parts.plugins,
    stateDirectory: parts.stateDirectory, startedAt: startedAt,
    health: { [weak self] in self?.health ?? HealthBoard() })
  private(set) lazy var gatewayMetrics = GatewayMetrics(
    clock: parts.clock, store: parts.store, plugins: parts.plugins, figures: parts.figures,
    startedAt: startedAt, health: { [weak self] in self?.health ?? HealthBoard() },
    counts: { [weak self] in
      GatewayMetrics.Counts(
        runtime: self?.counters ?? RuntimeCounters(),
        commits: self?.commits.counters ?? CommitCounters())
    })
  private(set) lazy var journalQuestions = JournalQuestions(
    view: view, clock: parts.clock, store: parts.store, pictures: parts.room.pictures,
    privacy: parts.privacy)
  private(set) lazy var questionDoor = QuestionDoor(
    handlings, looks: looks, privacy: parts.privacy)
  private lazy var actions = ActionPerformer(
    sources: parts.sources, lamp: parts.room.lamp, director: director, outward: outward,
    linkedAlarms: linkedAlarms)
  private lazy var timeZones = TimeZoneFiles(view: view, file: parts.room.timeZoneFile)
  private lazy var wakeTimer = LoopTimer { [weak self] in self?.wake() }

  /// A runtime over a core that was made from what the store holds.
  public init(run: Run, parts: Parts) {
    coreRun = CoreRun(run)
    view = CoreView(coreRun)
    localCommands = LocalCommands(view, clock: parts.clock)
    door = CommandDoor(view, clock: parts.clock)
    startedAt = run.record.moment
    sentencesKeptAt = run.record.moment.tick
    self.parts = parts
  }

  var core: GatewayCore { coreRun.core }

  /// The run that inputs are recorded under.
  public var run: String { coreRun.name }

  // MARK: Life

  /// Starts the clock and the sources; from here on alarms are possible.
  public func start() {
    isRunning = true
    parts.clock.start { [weak self] report in self?.take(.observation(.clock(report))) }
    // Before the first input: an alarm that was open sounds again at once.
    parts.room.speaker?.start { [weak self] in self?.observe($0) }
    parts.room.lamp?.start { [weak self] in self?.observe($0) }
    for name in core.routine.neededTimeZones { provide(timeZone: name) }
    take(.started(version: Release.version))
    for source in parts.sources { source.start { [weak self] in self?.observe($0) } }
    tellBluetooth()
    parts.bluetooth?.start { [weak self] in self?.observe($0) }
    keepSentences(at: parts.clock.now())
    parts.room.notePictures?.sweep(keeping: Set(core.notebook.pictures.map(\.id)))
    parts.room.recordings?.sweep(keeping: Set(core.notebook.recordings.map(\.id)))
  }

  /// Stops sources and timers; what was submitted to the store is still written by it.
  public func stop() {
    isRunning = false
    for source in parts.sources { source.stop() }
    parts.bluetooth?.stop()
    parts.room.speaker?.stop()
    parts.room.lamp?.stop()
    parts.clock.stop()
    wakeTimer.cancel()
    commits.stop()
  }

  /// Who speaks by a session's token; nil where nobody does, or not any more. That it is used is noted, once a day.
  public func speaker(by token: String) -> SessionHolder? {
    isRunning ? speakers.holder(by: token) : nil
  }

  // MARK: Inputs

  /// Takes what a device or plugin saw.
  public func observe(_ observation: Observation) {
    guard isRunning else { return }
    var observation = observation
    if case .health(var report) = observation {
      // What is recorded, shown and told is words, in the gateway's language.
      report.detail = Message(verbatim: report.detail.text(in: core.configuration.language))
      observation = .health(report)
      if report.state == .working { counters.signs += 1 }
      guard health.take(report, at: EventLoop.now) else { return }
    }
    if case .sound(let report) = observation { director.note(report) }
    if case .ways(let report) = observation {
      if standing.isNewVoice(in: report) { parts.room.renderer?.tryAgain() }
      standing.note(report)
    }
    if case .listening(let hearer, let isListening) = observation {
      standing.note(hearer, isListening: isListening)
    }
    if case .fix(let report) = observation {
      health.noteSign(of: ComponentID("gps/\(report.source)"), at: EventLoop.now)
      counters.fixes += 1
    }
    take(.observation(observation))
  }

  /// Does what somebody asks; `reply` comes when the outcome is durable, or at once when the disk does not answer.
  ///
  /// - Parameter asking: who asks, where it is known better than by the command's principal.
  public func perform(
    _ asked: Command, for asking: Asking? = nil,
    reply: @escaping @LoopActor (CommandReply) -> Void
  ) {
    guard isRunning else {
      reply(
        .refused(CommandReply.Refusal(.notNow, Message("Homeward is stopping. Try again soon."))))
      return
    }
    let understood: Command
    let secrets: AccountSecrets?
    do throws(DecodeError) {
      let taken = try AccountSecrets.taken(from: asked)
      secrets = taken?.secrets
      understood = try GatewayCore.understood(taken?.command ?? asked)
    } catch {
      let unfit = Message("The request does not fit: {error}.", ["error": error])
      return reply(.refused(CommandReply.Refusal(.invalid, unfit)))
    }
    counters.commands += 1
    let asking = door.confirmed(asking ?? .by(understood), of: understood.request)
    let command = asking.signed(understood)
    if let secrets {
      let refusal =
        door.refusal(of: command, for: asking) ?? door.tooManyEntries(command, asking)
        ?? door.refusal(ofLettingIn: command, for: asking)
      if let refusal { return reply(.refused(refusal)) }
      return accountCommands.perform(command, secrets, for: asking, reply: reply)
    }
    switch command.request {
    case .note, .feature:
      // Whose it is shows once the store has said what it holds.
      return storedContentGate.pass(
        command, check: { [weak self] in self?.door.refusal(of: $0, for: asking) }, reply: reply)
    default: break
    }
    if let refusal = door.refusal(of: command, for: asking) { return reply(.refused(refusal)) }
    if case .bluetooth(let request) = command.request, request.isForRadio {
      return radioGate.pass(request, command, for: asking, reply: reply)
    }
    if case .locate(let resident) = command.request {
      looks.note(asking, at: .resident(resident), [.position])
    }
    guard case .alarm(let request) = command.request, request.pin != nil else {
      return take(command, reply: reply)
    }
    guard let keeper = parts.room.credentials else {
      return reply(
        .refused(CommandReply.Refusal(.conflict, Message("This gateway cannot keep PINs."))))
    }
    PINGate(keeper: keeper, hash: { [weak self] in self?.core.alarms.pinHash($0, of: $1) }).pass(
      command,
      onward: { [weak self] command in self?.takeIfRunning(command, reply: reply) },
      refuse: { reply(.refused($0)) })
  }

  /// Does commands for parts of the runtime, as long as it is there.
  var performer: CommandPerformer {
    { [weak self] command, asking, reply in self?.perform(command, for: asking, reply: reply) }
  }

  /// Takes a command that had to wait for something outside.
  private func takeIfRunning(
    _ command: Command, reply: @escaping @LoopActor (CommandReply) -> Void
  ) {
    guard isRunning else {
      let stopping = Message("Homeward is stopping. Try again soon.")
      return reply(.refused(CommandReply.Refusal(.notNow, stopping)))
    }
    take(command, reply: reply)
  }

  private func take(_ command: Command, reply: @escaping @LoopActor (CommandReply) -> Void) {
    // The core judges what it is asked by the rules of the zone, so it has them before.
    for name in command.request.timeZones { provide(timeZone: name) }
    if let refusal = timeZones.refusal(of: command.request) { return reply(.refused(refusal)) }
    take(.command(command), reply: reply)
    keepSentences(at: parts.clock.now())
  }

  /// Has the sentences ready that may be needed without a network: of an emergency, and of the next day.
  private func keepSentences(at now: Moment) {
    sentencesKeptAt = now.tick
    parts.room.renderer?.keep(core.sentencesToKeep(at: now))
  }

  /// Gives the core the zone's file, unless it has it.
  private func provide(timeZone name: String) {
    guard let file = timeZones.missing(name) else { return }
    take(.timeZone(name: name, file: file))
  }

  private func wake() { take(.wake) }

  private func take(
    _ input: CoreInput, reply: (@LoopActor (CommandReply) -> Void)? = nil
  ) {
    // What a step does in the room may be answered at once; the answer is an input of its own, after this one.
    guard !isStepping else {
      EventLoop.current.post { [weak self] in self?.take(input, reply: reply) }
      return
    }
    if let reply, commits.refuses(input) {
      return reply(.refused(StepCommits.refusal))
    }
    isStepping = true
    defer { isStepping = false }
    let now = parts.clock.now()
    renewRunIfDue(at: now)
    let before = input.mustBeKept ? coreRun.before : nil
    let result = coreRun.step(input, at: now)
    for report in core.upkeep.ownReports { _ = health.take(report, at: now.tick) }
    if now.tick.milliseconds(since: sentencesKeptAt) >= Self.sentenceMilliseconds {
      keepSentences(at: now)
    }
    let events = result.events.map {
      $0.cloudEvent(gateway: core.configuration.gateway, boot: core.boot)
    }
    counters.events += Int64(events.count)
    // What sounds in the room waits for neither disk nor network.
    if result.events.contains(where: { $0.type == .consentChanged }) { parts.consentChanged?() }
    let later = result.actions.filter { !actions.performAtOnce($0) }
    let awaited = reply.flatMap { send in
      result.reply.map { StepCommits.AwaitedReply(answer: $0, before: before, send: send) }
    }
    commits.submit(
      StepCommits.Pending(
        number: coreRun.stepNumber, actions: later,
        record: StepRecord(
          input: coreRun.record(of: input, events, result, at: now), events: events,
          changes: result.changes)), awaited)
    setWakeTimer()
    if isRunning, input.concernsBluetooth { tellBluetooth() }
  }

  /// Has the radio listen for the tags and fetch from the meters that the core knows.
  private func tellBluetooth() {
    let targets = RadioTargets(core)
    parts.tagsChanged?(targets.tags)
    guard let bluetooth = parts.bluetooth else { return }
    bluetooth.setTags(targets.tags)
    bluetooth.setMeters(targets.meters)
  }

  /// Has everybody hear of what a command changed that the disk does not keep.
  private func tookBack(_ record: StepRecord) {
    setWakeTimer()
    tellBluetooth()
    if record.events.contains(where: { $0.type == .consentChanged }) { parts.consentChanged?() }
  }

  /// Removes the files that a durable step leaves to nobody: of who was erased, of pictures that nothing refers to, and of
  /// recordings that are not kept any more.
  private func removeFiles(after record: StepRecord) {
    for change in record.changes {
      if case .eraseResident(let resident) = change { parts.room.pictures?.erase(resident) }
    }
    pictures.remove(record.changes.compactMap(\.removedPicture))
    recordings.remove(record.changes.compactMap(\.removedRecording))
  }

  private func setWakeTimer() {
    if isRunning, let next = core.nextWake { wakeTimer.set(at: next) } else { wakeTimer.cancel() }
  }

  /// Sentences of the next 24 hours are looked for anew every six.
  private static let sentenceMilliseconds: Int64 = 6 * 3_600_000

  private func renewRunIfDue(at now: Moment) {
    guard coreRun.isOver(at: now.tick), let next = parts.renewRun?(core, now)
    else { return }
    change(to: next, at: now.tick)
  }

  /// Goes on with a run from what the store holds, once a gateway that began without its database has it again.
  ///
  /// - Parameter next: a run from a state that has every step in it that was taken until now.
  public func goOn(with next: Run) {
    guard isRunning else { return }
    change(to: next, at: parts.clock.now().tick)
    for name in core.routine.neededTimeZones { provide(timeZone: name) }
    parts.consentChanged?()
    tellBluetooth()
    take(.wake)
    keepSentences(at: parts.clock.now())
  }

  private func change(to next: Run, at now: Tick) {
    coreRun.change(to: next, at: now)
    // A run begins without knowing which ways there are,
    if let ways = standing.ways {
      EventLoop.current.post { [weak self] in self?.observe(.ways(ways)) }
    }
    // nor whether anything can be heard,
    if let sound = health.report(of: "sound") {
      EventLoop.current.post { [weak self] in self?.take(.observation(.health(sound))) }
    }
    // and without knowing who listens, and without that nobody's silence means anything.
    for hearer in standing.listening.sorted() {
      EventLoop.current.post { [weak self] in
        guard let self, standing.listening.contains(hearer) else { return }
        observe(.listening(hearer, isListening: true))
      }
    }
  }
}
