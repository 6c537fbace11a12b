internal import CTokenSecurityPostgreSQL
internal import Records
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// A connection to PostgreSQL, used by one thread at a time. Every wait has a deadline.
///
/// libpq's calls that wait would do so without one, so only those that do not wait are used, and the socket
/// is polled.
@safe
final class ServerConnection {
  /// Nil once the connection is lost.
  private(set) var handle: OpaquePointer?
  /// The names of prepared statements.
  var prepared: [ExactString: String] = [:]
  /// The number of the next prepared statement.
  var nextStatement = 0

  /// True until the connection is lost.
  var isOpen: Bool { unsafe handle != nil }

  /// Connects to the first host that answers. Each has its share of the time that is left, so that one that
  /// is silent does not use the time of the next one.
  init(_ settings: PostgreSQLSettings, _ deadline: Deadline) throws(ServerFailure) {
    let password: SecretBytes?
    do throws(RecordStoreError) { password = try settings.password.read() } catch {
      throw .lost("\(error)")
    }
    let hosts = settings.connectionOptions
    var failure = ServerFailure.lost("there is no host")
    for (index, options) in hosts.enumerated() {
      do throws(ServerFailure) {
        try connect(options, password, deadline.share(hosts.count - index))
        return
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private func connect(
    _ options: [PostgreSQLSettings.Option], _ password: borrowing SecretBytes?, _ deadline: Deadline
  ) throws(ServerFailure) {
    unsafe handle = Self.start(options, password)
    guard let started = unsafe handle else { throw .lost("libpq has no memory") }
    // libpq would write the server's notices to standard error. The function has no state, and the connection
    // owns what it passes.
    _ = unsafe PQsetNoticeProcessor(started, { _, _ in }, nil)
    guard unsafe PQstatus(started) != CONNECTION_BAD else { throw fail() }
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      guard state != PGRES_POLLING_FAILED else { throw fail() }
      try wait(forWriting: state == PGRES_POLLING_WRITING, deadline)
      state = unsafe PQconnectPoll(started)
    }
    guard unsafe PQsetnonblocking(started, 1) == 0 else { throw fail() }
    // A server may acknowledge commits before they are on its disk.
    _ = try simple(
      """
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """, deadline)
  }

  deinit { close() }

  /// Ends the connection.
  func close() {
    if let open = unsafe handle { unsafe PQfinish(open) }
    unsafe handle = nil
  }

  /// Starts to connect. libpq copies all texts.
  private static func start(
    _ options: [PostgreSQLSettings.Option], _ password: borrowing SecretBytes?
  ) -> OpaquePointer? {
    switch password {
    case nil: return unsafe start(options, address: nil)
    case .some(let password):
      return unsafe password.withBytes { bytes in
        // The bytes end with zero.
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe start(options, address: buffer.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
      }
    }
  }

  private static func start(
    _ options: [PostgreSQLSettings.Option], address password: UnsafePointer<CChar>?
  ) -> OpaquePointer? {
    // Freed below. The lists end with null.
    let copies =
      unsafe options.map { unsafe (strdup($0.name), strdup($0.value)) } + [(strdup("password"), nil)]
    defer {
      for index in 0...options.count {
        unsafe free(copies[index].0)
        unsafe free(copies[index].1)
      }
    }
    var names = unsafe copies.map { unsafe UnsafePointer($0.0) }
    var values = unsafe copies.map { unsafe UnsafePointer($0.1) }
    unsafe values[values.count - 1] = unsafe password
    unsafe names.append(nil)
    unsafe values.append(nil)
    return unsafe PQconnectStartParams(names, values, 0)
  }

  /// Closes the connection and returns its error.
  func fail(_ reason: String? = nil) -> ServerFailure {
    guard let open = unsafe handle else { return .lost(reason ?? "the connection is closed") }
    let message = unsafe PQerrorMessage(open).map { unsafe String(cString: $0) } ?? ""
    close()
    return .lost(reason ?? Self.sentence(message.trimmedLine))
  }

  /// The message of libpq, and what to do about the one that operators meet first: it comes of the default, TLS with a
  /// verified name.
  private static func sentence(_ message: String) -> String {
    let text = message.visible(upTo: 300)
    guard ArraySlice(text.utf8).firstRange(ofBytes: "server does not support SSL".utf8) != nil else {
      return text
    }
    return text
      + ": enable TLS in the server, use its Unix socket, or add ?sslmode=disable in a network of your own"
  }

  func wait(forWriting: Bool, _ deadline: Deadline) throws(ServerFailure) {
    guard let open = unsafe handle else { throw fail() }
    let socket = unsafe PQsocket(open)
    guard socket >= 0 else { throw fail() }
    var entry = pollfd(fd: socket, events: Int16(forWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
    while true {
      let milliseconds = deadline.remainingMilliseconds
      guard milliseconds > 0 else { throw fail("no answer within the time limit") }
      let count = unsafe poll(&entry, 1, Int32(clamping: milliseconds))
      if count > 0 { return }
      if count < 0, errno != EINTR { throw fail() }
    }
  }

  /// Sends everything that is in libpq's buffer.
  func send(_ deadline: Deadline) throws(ServerFailure) {
    while let open = unsafe handle {
      let state = unsafe PQflush(open)
      if state == 0 { return }
      guard state == 1 else { throw fail() }
      try wait(forWriting: true, deadline)
      // A server that sends while it receives must not wait for this side.
      guard unsafe PQconsumeInput(open) == 1 else { throw fail() }
    }
    throw fail()
  }

  /// Waits for a notification until `deadline`, and returns whether one has come.
  func isNotified(until deadline: Deadline) throws(ServerFailure) -> Bool {
    guard let open = unsafe handle else { throw fail() }
    if unsafe Self.hasNotifications(open) { return true }
    guard deadline.remainingMilliseconds > 0 else { return false }
    var entry = unsafe pollfd(fd: PQsocket(open), events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, Int32(clamping: deadline.remainingMilliseconds)) > 0 else { return false }
    guard unsafe PQconsumeInput(open) == 1 else { throw fail() }
    return unsafe Self.hasNotifications(open)
  }

  /// Takes all notifications that have arrived.
  private static func hasNotifications(_ open: OpaquePointer) -> Bool {
    var isAny = false
    while let notification = unsafe PQnotifies(open) {
      unsafe PQfreemem(notification)
      isAny = true
    }
    return isAny
  }
}
