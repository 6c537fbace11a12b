internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Imports the users of a file of comma-separated values into a pool.
///
///     func importUsers(
///       _ portions: [[UInt8]], into poolID: String, of service: UserPoolService
///     ) async throws {
///       var users = try await UserImport(into: poolID, of: service)
///       var refused: [UserImport.Failure] = []
///       for portion in portions { refused += try await users.add(portion) }
///       refused += try await users.finish()
///       for failure in refused { print(failure.line, failure.error) }
///       print(users.imported, users.skipped, users.failed)
///     }
///
/// The file is as the service documents it: the first row has the names of the columns, those of ``header(for:of:)``
/// in any order. Columns of attributes that no user has may be left out. Beyond it, the columns `srp:salt` and
/// `srp:verifier` (hexadecimal or base64) may have the salt and the SRP verifier of the user's password, and `srp:id`
/// the name that the verifier was computed with, if that is not the user name. A user with a verifier is confirmed;
/// another one must reset the password.
///
/// Users are stored in portions, each in one transaction. A user who exists already is skipped, so that an import
/// that was interrupted can be repeated.
public struct UserImport: Sendable {
  /// A row that was not imported.
  public struct Failure: Sendable {
    /// The line on which the row begins; 1 is the header's.
    public let line: Int
    /// The rule that the row breaks, as an error.
    public let error: UserPoolError

    /// The rule that the row breaks, without the line.
    public var rule: String {
      if case .importRefused(_, let rule) = error { rule } else { "\(error)" }
    }
  }

  /// The number of users that were imported.
  public private(set) var imported = 0
  /// The number of rows whose users existed already.
  public private(set) var skipped = 0
  /// The number of rows that were refused.
  public private(set) var failed = 0
  /// True after a line that is not comma-separated values: the rest of the file is not read.
  public var isEnded: Bool { end != nil }

  /// Maximum number of users in a transaction.
  static let portion = 500
  /// Maximum number of bytes that are read before users are stored.
  private static let piece = 65_536

  private let store: any RecordStore
  private let secrets: UserPoolSecrets
  private let pool: UserPool
  private var reader = CSVReader()
  private var columns: ImportColumns?
  private var waiting: [CSVReader.Record] = []
  /// Why the rest of the file is not read.
  private var end: UserPoolError?

  /// Begins an import.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - service: the service of the pool.
  /// - Throws: `poolUnknown`, `storeFailed`.
  public init(into poolID: String, of service: UserPoolService) async throws(UserPoolError) {
    store = service.store
    secrets = service.secrets
    pool = try await Self.pool(poolID, of: service)
  }

  /// The names of the columns of a pool's files.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - service: the service of the pool.
  /// - Returns: the attributes of the pool, `cognito:mfa_enabled` and `cognito:username`.
  /// - Throws: `poolUnknown`, `storeFailed`.
  public static func header(
    for poolID: String, of service: UserPoolService
  ) async throws(UserPoolError) -> [String] {
    ImportColumns.names(for: try await pool(poolID, of: service))
  }

  private static func pool(
    _ id: String, of service: UserPoolService
  ) async throws(UserPoolError) -> UserPool {
    try await service.store.read(at: .now, .fresh) { rows throws(UserPoolError) in try rows.existingPool(id) }
  }

  /// Reads a portion of the file, and stores users whenever there are enough for a transaction.
  ///
  /// - Parameter bytes: the portion.
  /// - Returns: the rows that were refused. The last one may be a line that is not comma-separated values: what comes
  ///   before it was imported, and later calls throw its error.
  /// - Throws: `importRefused` for a header that does not fit the pool; `poolUnknown`, `storeBusy`, `storeFailed`.
  public mutating func add(_ bytes: [UInt8]) async throws(UserPoolError) -> [Failure] {
    if let end { throw end }
    var failures: [Failure] = []
    // Records take more memory than their bytes.
    for start in stride(from: 0, to: bytes.count, by: Self.piece) {
      let piece = Array(bytes[start..<min(bytes.count, start + Self.piece)])
      var refusal: UserPoolError?
      do throws(UserPoolError) { try reader.add(piece.span, to: &waiting) } catch { refusal = error }
      failures += try await store(all: false, then: refusal)
      if end != nil { break }
    }
    return failures
  }

  /// Ends the file, and stores the remaining users.
  ///
  /// - Returns: the rows that were refused.
  /// - Throws: as ``add(_:)``.
  public mutating func finish() async throws(UserPoolError) -> [Failure] {
    if let end { throw end }
    var refusal: UserPoolError?
    do throws(UserPoolError) { try reader.finish(to: &waiting) } catch { refusal = error }
    let failures = try await store(all: true, then: refusal)
    guard columns != nil else { throw .importRefused(line: 1, rule: "the file has no header") }
    return failures
  }

  private mutating func store(
    all: Bool, then refusal: UserPoolError?
  ) async throws(UserPoolError) -> [Failure] {
    var failures: [Failure] = []
    if columns == nil, let header = waiting.first {
      columns = try ImportColumns(header, for: pool)
      waiting.removeFirst()
    }
    if let columns {
      var stored = 0
      while waiting.count - stored >= (all || refusal != nil ? 1 : Self.portion) {
        let records = Array(waiting[stored...].prefix(Self.portion))
        failures += try await store(records, columns)
        stored += records.count
      }
      waiting.removeFirst(stored)
    }
    if let refusal {
      end = refusal
      guard columns != nil, case .importRefused(let line, _) = refusal else { throw refusal }
      failures.append(Failure(line: line, error: refusal))
      failed += 1
    }
    return failures
  }

  private mutating func store(
    _ records: [CSVReader.Record], _ columns: ImportColumns
  ) async throws(UserPoolError) -> [Failure] {
    let now = Timestamp.now.wholeSecond
    var failures: [Failure] = []
    var made: [(line: Int, user: User)] = []
    for record in records {
      do throws(UserPoolError) {
        let row = try ImportedRow(record, columns, for: pool)
        made.append((record.line, try row.user(of: pool, at: now, line: record.line, secrets)))
      } catch {
        // A failure of the service is not the row's.
        guard error.status < 500 else { throw error }
        failures.append(Failure(line: record.line, error: error))
      }
    }
    let (pool, users) = (pool, made.map(\.user))
    let outcomes = try await store.write(at: now) { rows throws(UserPoolError) in
      _ = try rows.existingPool(pool.id)
      var outcomes: [ImportOutcome] = []
      for user in users { outcomes.append(try rows.addImported(user, to: pool)) }
      return outcomes
    }
    for (outcome, line) in zip(outcomes, made.map(\.line)) {
      switch outcome {
      case .imported: imported += 1
      case .skipped: skipped += 1
      case .refused(let error): failures.append(Failure(line: line, error: error))
      }
    }
    failed += failures.count
    return failures.sorted { $0.line < $1.line }
  }
}

/// Result of a row's import.
enum ImportOutcome: Sendable {
  case imported
  case skipped
  case refused(UserPoolError)
}

extension WriteTransaction<UserPoolError> {
  /// Adds a user, unless the user exists.
  fileprivate func addImported(_ user: User, to pool: UserPool) throws(UserPoolError) -> ImportOutcome {
    do throws(UserPoolError) {
      try checkIsNew(user, in: pool)
    } catch .userExists, .addressTaken {
      return .skipped
    } catch .userNameRefused(let rule) {
      return .refused(.userNameRefused(rule: rule))
    }
    // Checked first: an error would end the transaction.
    if let other = try otherOwner(of: user.aliases(in: pool), than: user, in: pool) {
      return .refused(.aliasExists(attribute: other.alias.attribute))
    }
    try store(user, replacing: nil, in: pool)
    return .imported
  }
}
