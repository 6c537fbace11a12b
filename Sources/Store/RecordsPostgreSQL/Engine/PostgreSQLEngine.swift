internal import Dispatch
internal import Records

/// Rows in a PostgreSQL database.
final class PostgreSQLEngine: RecordEngine {
  private let settings: PostgreSQLSettings
  private let context: EngineContext
  private let pool: ConnectionPool
  private let listener: ChangeListener
  let changes: any ChangeSource
  let isShared = true

  /// Connects, makes the tables that the database lacks, and registers the node.
  init(
    _ settings: PostgreSQLSettings, tables: [any DeclaredTable], makesDatabase: Bool, migrates: Bool
  ) async throws(RecordStoreError) {
    let layouts = tables.map(\.layout)
    let tracker = ChangeTracker(layouts)
    let registry = NodeRegistry(
      id: Int64.random(in: .min ... .max), layouts: layouts, database: settings.databaseName,
      clock: ServerClock(settings))
    let opened = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<NodeRegistry.Registration, RecordStoreError>, Never>) in
      let schema = ServerSchema(registry: registry, makesDatabase: makesDatabase, migrates: migrates)
      DispatchQueue(label: "records.opening").async {
        continuation.resume(returning: Self.open(settings, schema))
      }
    }
    let context = EngineContext(registry, settings, tracker)
    context.set(try opened.get())
    self.settings = settings
    self.context = context
    changes = tracker
    pool = ConnectionPool(settings)
    listener = ChangeListener(settings, registry, context, CommitRecordRemoval(pool, settings))
  }

  /// How long making tables and filling new indexes may take.
  private static let migrationTimeout = Duration.seconds(600)

  private static func open(
    _ settings: PostgreSQLSettings, _ schema: ServerSchema
  ) -> Result<NodeRegistry.Registration, RecordStoreError> {
    do {
      let connection = try ServerConnection(settings, Deadline(after: settings.connectTimeout))
      let deadline = Deadline(after: migrationTimeout)
      try connection.simple("SET statement_timeout = 0", deadline)
      return .success(try schema.open(connection, deadline))
    } catch let error as ServerFailure {
      return .failure(.unavailable(error.reason))
    } catch let error as RecordStoreError {
      return .failure(error)
    } catch {
      return .failure(.unavailable("\(type(of: error))"))
    }
  }

  nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> Value
  ) async throws(RecordStoreError) -> Value {
    if let refusal = context.refusal { throw refusal }
    let deadline = Deadline(after: settings.callTimeout)
    return try await withCheckedContinuation { (continuation: JobCaller<Value>.Continuation) in
      pool.add(ReadJob(context, deadline, JobCaller(continuation), body))
    }.get()
  }

  nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Value>
  ) async throws(RecordStoreError) -> Value {
    let deadline = Deadline(after: settings.callTimeout)
    return try await withCheckedContinuation { (continuation: JobCaller<Value>.Continuation) in
      pool.add(WriteJob(context, deadline, JobCaller(continuation), body))
    }.get()
  }

  nonisolated(nonsending) func close() async throws(RecordStoreError) {
    pool.close()
    listener.close()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      pool.whenClosed { self.listener.whenClosed { continuation.resume() } }
    }
  }

  deinit {
    // The threads keep the pool and the listener until they end.
    pool.close()
    listener.close()
  }
}
