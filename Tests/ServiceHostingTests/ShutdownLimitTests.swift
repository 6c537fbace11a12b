internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOPosix
@testable internal import ServiceHosting
internal import ServiceLifecycle
internal import Synchronization
internal import Testing
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// The time limit of a shutdown.
@Suite struct ShutdownLimitTests {
  /// Timers that the test fires.
  private final class Timers: Sendable {
    private let entries = Mutex<[(time: Duration, action: @Sendable () -> Void)]>([])

    var times: [Duration] { entries.withLock { $0.map(\.time) } }
    var timer: ShutdownLimit.Timer {
      { [self] time, action in entries.withLock { $0.append((time, action)) } }
    }

    func fire(_ index: Int) {
      let action = entries.withLock { $0[index].action }
      action()
    }
  }

  private let timers = Timers()
  private let lines = LoggedLines()
  private let exits = Tally()

  private func limit(_ seconds: Int) -> ShutdownLimit {
    ShutdownLimit(
      .seconds(seconds), logger: lines.logger, timer: timers.timer, exit: { [exits] in exits.add() })
  }

  private static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

  @Test func theFirstStepStartsTheTime() {
    let limit = limit(20)
    #expect(timers.times.isEmpty)
    limit.begin("listener")
    limit.end("listener")
    limit.begin("database")
    #expect(timers.times == [.seconds(20)])
    #expect(!limit.isRunning("listener"))
    #expect(limit.isRunning("database"))
    #expect(exits.value == 0)
    #expect(lines.all.isEmpty)
  }

  @Test func afterTheTimeTheLogNamesTheStepsAndTheProcessExits() {
    let limit = limit(20)
    limit.end("never begun")
    for step in ["listener", "KeyMaintenance", "database"] { limit.begin(step) }
    // As a cancellation after a graceful shutdown does.
    limit.begin("database")
    limit.end("listener")
    limit.end("KeyMaintenance")
    timers.fire(0)
    #expect(
      lines.all == [
        "error shutdown timeout: steps of the shutdown have not ended ended=listener, KeyMaintenance steps=database"
      ])
    #expect(exits.value == 1)
  }

  /// A message that is being sent has the time that a sender has, whatever else is left.
  @Test(arguments: [true, false]) func theLimitIsLongerWhileMessagesAreSent(_ isSending: Bool) {
    let limit = limit(20)
    limit.extend { isSending }
    limit.begin("MessageService")
    timers.fire(0)
    let times: [Duration] = [.seconds(20), isSending ? .seconds(25) : .seconds(1)]
    #expect(timers.times == times)
    if isSending {
      #expect(lines.all.isEmpty && exits.value == 0)
      // Once: messages that are still sent then have had their time.
      timers.fire(1)
      #expect(timers.times == times + [.seconds(1)])
    }
    #expect(
      lines.all == [
        "error shutdown timeout: steps of the shutdown have not ended ended=none steps=MessageService"
      ])
    #expect(exits.value == 1)
  }

  /// Whoever writes to a pipe that nothing reads waits.
  @Test func theProcessExitsWithALogThatBlocks() {
    struct Blocking: LogHandler {
      let timers: Timers
      let exits: Tally
      var metadata = Logger.Metadata()
      var logLevel = Logger.Level.info

      init(_ timers: Timers, _ exits: Tally) { (self.timers, self.exits) = (timers, exits) }

      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
      }

      func log(event: LogEvent) {
        #expect(timers.times == [.seconds(20), .seconds(1)])
        timers.fire(1)
        #expect(exits.value == 1)
      }
    }
    let limit = ShutdownLimit(
      .seconds(20), logger: Logger(label: "test") { [timers, exits] _ in Blocking(timers, exits) },
      timer: timers.timer, exit: { [exits] in exits.add() })
    limit.begin("listener")
    timers.fire(0)
    #expect(exits.value == 2)
  }

  @Test func aServiceThatDoesNotEndIsNamed() async throws {
    struct Stuck: Service {
      let gate: Gate
      func run() async throws { await gate.pass() }
    }
    struct Ending: Service {
      func run() async throws { try await gracefulShutdown() }
    }
    let (limit, gate) = (limit(20), Gate())
    let group = ServiceGroup(
      configuration: .init(
        services: [
          LimitedService(Ending(), name: "first", limit: limit),
          LimitedService(Stuck(gate: gate), limit: limit), LimitedService(Ending(), limit: limit),
        ], logger: Self.silent))
    let run = Task { try await group.run() }
    try await eventually { gate.waiting == 1 }
    #expect(timers.times.isEmpty)
    await group.triggerGracefulShutdown()
    try await eventually { limit.isRunning("Stuck") }
    #expect(timers.times == [.seconds(20)])
    timers.fire(0)
    #expect(
      lines.all == ["error shutdown timeout: steps of the shutdown have not ended ended=Ending steps=Stuck"])
    #expect(exits.value == 1)
    gate.open()
    try await run.value
    for step in ["first", "Stuck", "Ending"] { #expect(!limit.isRunning(step)) }
  }

  /// The event loops may be blocked, so that no task stops the services.
  @Test func aSignalStartsTheTime() async throws {
    let limit = limit(20)
    // A signal that does nothing by itself.
    let group = ServiceGroup(
      configuration: .init(
        services: [SignalledLimit(limit, signals: [SIGWINCH])], logger: Self.silent))
    let run = Task { try await group.run() }
    try await eventually {
      kill(getpid(), SIGWINCH)
      return !timers.times.isEmpty
    }
    #expect(timers.times == [.seconds(20)])
    await group.triggerGracefulShutdown()
    try await run.value
    timers.fire(0)
    #expect(
      lines.all == ["error shutdown timeout: steps of the shutdown have not ended ended=none steps=none"])
    #expect(exits.value == 1)
  }

  /// A service that fails cancels the others.
  @Test func aCancelledServiceIsAStep() async throws {
    struct Failing: Service {
      struct Failure: Error {}
      let gate: Gate
      func run() async throws {
        await gate.pass()
        throw Failure()
      }
    }
    struct Waiting: Service {
      func run() async throws { await untilCancelled() }
    }
    let (limit, gate) = (limit(20), Gate())
    let group = ServiceGroup(
      configuration: .init(
        services: [LimitedService(Waiting(), limit: limit), Failing(gate: gate)], logger: Self.silent))
    let run = Task { try await group.run() }
    try await eventually { gate.waiting == 1 }
    gate.open()
    await #expect(throws: Failing.Failure.self) { try await run.value }
    #expect(timers.times == [.seconds(20)])
    #expect(!limit.isRunning("Waiting"))
    #expect(exits.value == 0)
  }

  @Test func theTimerOfThreadsCallsItsFunction() async {
    for time in [Duration.zero, .milliseconds(60)] {
      await withCheckedContinuation { done in ShutdownLimit.onThread(time) { done.resume() } }
    }
  }

  /// Pauses take longer on a machine with too much work. By a clock that stands still they are counted.
  @Test(arguments: [(Duration.milliseconds(500), 20), (.milliseconds(50), 200), (.zero, 200)])
  func theTimerOfThreadsMeasuresTheTime(_ pause: Duration, _ count: Int) {
    var (elapsed, pauses) = (Duration.zero, 0)
    ShutdownLimit.wait(.seconds(10), elapsed: { elapsed }) {
      elapsed += pause
      pauses += 1
    }
    #expect(pauses == count)
  }

  /// Responds once the gate is open.
  private struct GatedResponder: HTTPResponder {
    let gate: Gate

    func respond(to request: Request, context: RequestSender) async throws -> Response {
      await gate.pass()
      return Response(status: .ok)
    }
  }

  @Test(arguments: [true, false])
  func connectionsAreClosedAfterTheListenersTime(_ isInProgress: Bool) async throws {
    let (limit, gate, connections) = (limit(17), Gate(), ConnectionTable(limit: 0))
    let listener = HTTPListener(
      .hostname("127.0.0.1", port: 0),
      limits: ConnectionLimits(requestTimeout: 600, responseTimeout: 600, idleTimeout: 600, bodyLimit: 1),
      connections: connections, capacity: 8)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = listener.application(GatedResponder(gate: gate), logger: Self.silent) { channel in
      port.yield(channel.localAddress?.port ?? 0)
    }
    let stops = Tally()
    let service = BoundedService(
      "listener", application, of: listener, seconds: 7, logger: lines.logger, limit: limit,
      timer: timers.timer, onStop: { stops.add() }, refusal: { _ in CancellationError() })
    let group = ServiceGroup(configuration: .init(services: [service], logger: Self.silent))
    let run = Task { try await group.run() }
    var iterator = ports.makeAsyncIterator()
    let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: try #require(await iterator.next())).get()
    try await eventually { connections.count == 1 }
    if isInProgress {
      try await client.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      try await eventually { gate.waiting == 1 }
    }
    await group.triggerGracefulShutdown()
    try await eventually { timers.times.count == 2 }
    #expect(timers.times == [.seconds(17), .seconds(7)])
    #expect(stops.value == 1)
    if isInProgress {
      #expect(limit.isRunning("listener"))
      timers.fire(1)
      try await client.closeFuture.get()
      try await eventually { connections.count == 0 }
      gate.open()
    }
    try await run.value
    #expect(!limit.isRunning("listener"))
    if !isInProgress { timers.fire(1) }
    let closed = isInProgress ? ["info shutdown timeout: connections were closed connections=1"] : []
    #expect(lines.all == ["info stopping connections=1"] + closed)
    #expect(exits.value == 0)
  }
}
