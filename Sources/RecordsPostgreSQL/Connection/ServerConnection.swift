internal import CTokenSecurityPostgreSQL
internal import Records
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// A connection to PostgreSQL, used by one thread at a time. Every wait has a deadline.
///
/// libpq's calls that wait would do so without one, so only those that do not wait are used, and the socket is
/// polled.
@safe
final class ServerConnection {
  /// Nil once the connection is lost.
  private var handle: OpaquePointer?
  /// The names of prepared statements.
  private var prepared: [ExactString: String] = [:]

  /// True until the connection is lost.
  var isOpen: Bool { unsafe handle != nil }

  /// Connects.
  init(_ settings: PostgreSQLSettings, _ deadline: Deadline) throws(ServerFailure) {
    let password: SecretBytes?
    do throws(RecordStoreError) { password = try settings.password.read() } catch {
      throw .lost("\(error)")
    }
    let timeout = settings.statementTimeout.milliseconds
    let session =
      "-c statement_timeout=\(timeout) -c idle_in_transaction_session_timeout=\(2 * timeout)"
      + " -c client_min_messages=error"
    unsafe handle = Self.start(settings.options + [("options", session)], password)
    guard let started = unsafe handle else { throw .lost("libpq has no memory") }
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
    _ options: [(name: String, value: String)], _ password: borrowing SecretBytes?
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
    _ options: [(name: String, value: String)], address password: UnsafePointer<CChar>?
  ) -> OpaquePointer? {
    // Freed below. The lists end with null.
    let copies =
      unsafe options.map { unsafe (strdup($0.name), strdup($0.value)) } + [(strdup("password"), nil)]
    defer {
      for place in 0...options.count {
        unsafe free(copies[place].0)
        unsafe free(copies[place].1)
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
  private func fail(_ reason: String? = nil) -> ServerFailure {
    guard let open = unsafe handle else { return .lost(reason ?? "the connection is closed") }
    let message = unsafe PQerrorMessage(open).map { unsafe String(cString: $0) } ?? ""
    close()
    return .lost(reason ?? message.trimmedLine.bounded(to: 300))
  }

  private func wait(forWriting: Bool, _ deadline: Deadline) throws(ServerFailure) {
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

  // MARK: Statements

  /// Runs statements without parameters, and returns the rows of the last one.
  @discardableResult
  func simple(_ sql: String, _ deadline: Deadline) throws(ServerFailure) -> ServerRows {
    guard let open = unsafe handle else { throw fail() }
    guard unsafe PQsendQuery(open, sql) == 1 else { throw fail() }
    return try result(deadline)
  }

  /// Runs a prepared statement.
  func query(_ sql: String, _ values: [ServerValue], _ deadline: Deadline) throws(ServerFailure) -> ServerRows
  {
    let name = try prepare(sql, values, deadline)
    guard let open = unsafe handle else { throw fail() }
    let encoded = values.map(\.encoded)
    // One buffer of all values; it is alive until libpq has copied them.
    let buffer = encoded.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
    let lengths = encoded.map { Int32($0?.count ?? 0) }
    let sent = unsafe buffer.withUnsafeBufferPointer { buffer in
      var place = 0
      var addresses: [UnsafePointer<CChar>?] = unsafe []
      for value in encoded {
        let start = unsafe buffer.baseAddress.map { unsafe UnsafeRawPointer($0 + place) }
        let address = unsafe start?.assumingMemoryBound(to: CChar.self)
        unsafe addresses.append(value == nil ? nil : address)
        place += value?.count ?? 0
      }
      let binary = [Int32](repeating: 1, count: values.count)
      return unsafe PQsendQueryPrepared(open, name, Int32(values.count), addresses, lengths, binary, 1)
    }
    guard sent == 1 else { throw fail() }
    return try result(deadline)
  }

  private func prepare(
    _ sql: String, _ values: [ServerValue], _ deadline: Deadline
  ) throws(ServerFailure) -> String {
    if let name = prepared[ExactString(sql)] { return name }
    guard let open = unsafe handle else { throw fail() }
    let name = "s\(prepared.count)"
    let types = values.map(\.type)
    guard unsafe PQsendPrepare(open, name, sql, Int32(types.count), types) == 1 else { throw fail() }
    _ = try result(deadline)
    prepared[ExactString(sql)] = name
    return name
  }

  /// Waits for all results of what was sent, and returns the last one.
  private func result(_ deadline: Deadline) throws(ServerFailure) -> ServerRows {
    try send(deadline)
    var last: ServerRows?
    var refused: ServerFailure?
    while let open = unsafe handle {
      while unsafe PQisBusy(open) == 1 {
        try wait(forWriting: false, deadline)
        guard unsafe PQconsumeInput(open) == 1 else { throw fail() }
      }
      guard let result = unsafe PQgetResult(open) else { break }
      defer { unsafe PQclear(result) }
      switch unsafe PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: unsafe last = ServerRows(result)
      default:
        guard unsafe PQstatus(open) == CONNECTION_OK else { throw fail() }
        unsafe refused = refused ?? ServerFailure(result)
      }
    }
    if let refused {
      // The server ends sessions with errors of class 57P, for instance when it stops. One that has become a
      // standby writes nothing any more (25006); another connection finds its successor.
      if case .refused(let state, let message) = refused,
        state.utf8.starts(with: "57P".utf8) || state.utf8.elementsEqual("25006".utf8)
      {
        throw fail("PostgreSQL \(state): \(message)")
      }
      throw refused
    }
    guard let last else { throw fail("no result") }
    return last
  }

  /// Sends everything that is in libpq's buffer.
  private func send(_ deadline: Deadline) throws(ServerFailure) {
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

  // MARK: Notifications

  /// Waits for notifications until `deadline`, and returns their texts.
  func notifications(until deadline: Deadline) throws(ServerFailure) -> [String] {
    var texts: [String] = []
    guard let open = unsafe handle else { throw fail() }
    texts += unsafe Self.received(open)
    guard texts.isEmpty, deadline.remainingMilliseconds > 0 else { return texts }
    var entry = unsafe pollfd(fd: PQsocket(open), events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, Int32(clamping: deadline.remainingMilliseconds)) > 0 else { return [] }
    guard unsafe PQconsumeInput(open) == 1 else { throw fail() }
    return unsafe Self.received(open)
  }

  private static func received(_ open: OpaquePointer) -> [String] {
    var texts: [String] = []
    while let notification = unsafe PQnotifies(open) {
      unsafe texts.append(String(cString: notification.pointee.extra))
      unsafe PQfreemem(notification)
    }
    return texts
  }
}
