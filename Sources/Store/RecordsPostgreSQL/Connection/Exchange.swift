internal import CTokenSecurityPostgreSQL
internal import TokenSecurityBase

/// A statement with its parameters. It is prepared on its first use.
struct ServerCommand: Sendable {
  let sql: String
  let values: [ServerValue]

  init(_ sql: String, _ values: [ServerValue] = []) {
    self.sql = sql
    self.values = values
  }

  /// The size of its values, which is about that of its message.
  var size: Int { values.reduce(0) { $0 + ($1.encoded?.count ?? 0) } }
}

extension ServerConnection {
  /// Runs statements without parameters, and returns the rows of the last one.
  @discardableResult
  func simple(_ sql: String, _ deadline: Deadline) throws(ServerFailure) -> ServerRows {
    guard let open = unsafe handle else { throw fail() }
    guard unsafe PQsendQuery(open, sql) == 1 else { throw fail() }
    try send(deadline)
    var last: ServerRows?
    var refused: ServerFailure?
    while let result = try unsafe next(deadline) {
      defer { unsafe PQclear(result) }
      switch unsafe PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: unsafe last = ServerRows(result)
      default: if refused == nil { refused = try unsafe refusal(result) }
      }
    }
    if let refused { throw refused }
    guard let last else { throw fail("no result") }
    return last
  }

  /// Runs one prepared statement.
  func query(
    _ sql: String, _ values: [ServerValue], _ deadline: Deadline
  ) throws(ServerFailure) -> ServerRows {
    guard let rows = try run([ServerCommand(sql, values)], deadline).last else { throw fail("no result") }
    return rows
  }

  /// The request of a message in a pipeline.
  private enum Step {
    case preparation(ExactString)
    case execution
  }

  /// Runs prepared statements in one exchange, libpq's pipeline, and returns the rows of each.
  ///
  /// The server skips what follows a statement that it refuses.
  func run(_ commands: [ServerCommand], _ deadline: Deadline) throws(ServerFailure) -> [ServerRows] {
    guard let open = unsafe handle, unsafe PQenterPipelineMode(open) == 1 else { throw fail() }
    var steps: [Step] = []
    for command in commands {
      let sql = ExactString(command.sql)
      if prepared[sql] == nil {
        try unsafe prepare(command, open)
        steps.append(.preparation(sql))
      }
      try unsafe execute(command, prepared[sql] ?? "", open)
      steps.append(.execution)
    }
    guard unsafe PQpipelineSync(open) == 1 else { throw fail() }
    try send(deadline)
    return try unsafe results(of: steps, open, deadline)
  }

  private func prepare(_ command: ServerCommand, _ open: OpaquePointer) throws(ServerFailure) {
    let name = "s\(nextStatement)"
    nextStatement += 1
    let types = command.values.map(\.type)
    guard unsafe PQsendPrepare(open, name, command.sql, Int32(types.count), types) == 1 else { throw fail() }
    prepared[ExactString(command.sql)] = name
  }

  private func execute(
    _ command: ServerCommand, _ name: String, _ open: OpaquePointer
  ) throws(ServerFailure) {
    let encoded = command.values.map(\.encoded)
    // One buffer of all values; it is alive until libpq has copied them.
    let buffer = encoded.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
    let lengths = encoded.map { Int32($0?.count ?? 0) }
    let sent = unsafe buffer.withUnsafeBufferPointer { buffer in
      var offset = 0
      var addresses: [UnsafePointer<CChar>?] = unsafe []
      for value in encoded {
        let start = unsafe buffer.baseAddress.map { unsafe UnsafeRawPointer($0 + offset) }
        let address = unsafe start?.assumingMemoryBound(to: CChar.self)
        unsafe addresses.append(value == nil ? nil : address)
        offset += value?.count ?? 0
      }
      let binary = [Int32](repeating: 1, count: encoded.count)
      return unsafe PQsendQueryPrepared(open, name, Int32(encoded.count), addresses, lengths, binary, 1)
    }
    guard sent == 1 else { throw fail() }
  }

  // MARK: Results

  private func results(
    of steps: [Step], _ open: OpaquePointer, _ deadline: Deadline
  ) throws(ServerFailure) -> [ServerRows] {
    var all: [ServerRows] = []
    var refused: ServerFailure?
    for step in steps {
      guard let result = try unsafe next(deadline) else { throw fail("no result") }
      defer { unsafe PQclear(result) }
      switch (unsafe PQresultStatus(result), step) {
      case (PGRES_TUPLES_OK, .execution), (PGRES_COMMAND_OK, .execution):
        unsafe all.append(ServerRows(result))
      case (PGRES_COMMAND_OK, .preparation): break
      case (let status, _):
        if case .preparation(let sql) = step { prepared[sql] = nil }
        if status != PGRES_PIPELINE_ABORTED, refused == nil { refused = try unsafe refusal(result) }
      }
      // Null ends the results of each statement.
      guard try unsafe next(deadline) == nil else { throw fail("more than one result") }
    }
    guard let end = try unsafe next(deadline) else { throw fail("no end of a pipeline") }
    defer { unsafe PQclear(end) }
    guard unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC, unsafe PQexitPipelineMode(open) == 1 else {
      throw fail()
    }
    if let refused { throw refused }
    return all
  }

  /// Waits for the next result; nil at the end of a statement's results.
  private func next(_ deadline: Deadline) throws(ServerFailure) -> OpaquePointer? {
    guard let open = unsafe handle else { throw fail() }
    while unsafe PQisBusy(open) == 1 {
      try wait(forWriting: false, deadline)
      guard unsafe PQconsumeInput(open) == 1 else { throw fail() }
    }
    return unsafe PQgetResult(open)
  }

  /// The server's refusal. Some end the connection.
  private func refusal(_ result: OpaquePointer) throws(ServerFailure) -> ServerFailure {
    let refused = unsafe ServerFailure(result)
    guard case .refused(let state, let message) = refused else { return refused }
    // The server ends sessions with errors of class 57P, for instance when it stops. One that has become a
    // standby writes nothing any more (25006); another connection finds its successor.
    if state.utf8.starts(with: "57P".utf8) || state.utf8.elementsEqual("25006".utf8) {
      throw fail("PostgreSQL \(state): \(message)")
    }
    if let open = unsafe handle, unsafe PQstatus(open) != CONNECTION_OK { throw fail() }
    return refused
  }
}
