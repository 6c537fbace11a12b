public import CognitoIdentity
internal import Foundation
internal import GRDB

/// A store in one SQLite file, with its write-ahead log beside it.
///
///     let store = try SQLiteIdentityStore(path: "/var/lib/identity/identities.sqlite")
///
/// A change that has been acknowledged is on the disk (`synchronous = FULL`): neither the end of the process nor the loss of
/// power takes it back, and none is kept in part. Several processes may use one file.
public final class SQLiteIdentityStore: IdentityStore {
  private let database: DatabasePool
  private let watch: ChangeWatch
  private let cache = RowCache()

  /// Opens the file, and makes it where it is not there, readable by its owner alone.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - readers: how many may read at a time.
  /// - Throws: `storeFailed`.
  public init(path: String, readers: Int = 8) throws(IdentityError) {
    var configuration = Configuration()
    configuration.label = "identities"
    configuration.maximumReaderCount = readers
    configuration.busyMode = .timeout(10)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { connection in
      try connection.execute(sql: "PRAGMA synchronous = FULL")
    }
    do {
      if !FileManager.default.fileExists(atPath: path) {
        // Before anything is in it.
        guard
          FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw IdentityError.storeFailed("the file cannot be made: \(path)") }
      }
      database = try DatabasePool(path: path, configuration: configuration)
      try Schema.migrator.migrate(database)
      watch = try ChangeWatch(path: path, configuration: configuration, connections: readers)
    } catch {
      throw Self.fault(error)
    }
  }

  public func read<R: Sendable>(
    _ body: @Sendable (any IdentityReading) throws(IdentityError) -> R
  ) throws(IdentityError) -> R {
    do {
      let version = try watch.count()
      let held = HeldRows(cache, version)
      let result = Result { () throws(IdentityError) -> R in try body(held) }
      if !held.isIncomplete { return try result.get() }
      let (value, notes) = try database.read { connection in
        let noting = NotingRows(Rows(connection))
        let result = Result { () throws(IdentityError) -> R in try body(noting) }
        return (result, noting.notes)
      }
      // What was changed in the meantime was perhaps read in part.
      if try watch.count() == version { cache.hold(version, notes) }
      return try value.get()
    } catch {
      throw Self.fault(error)
    }
  }

  public func write<R: Sendable>(
    _ body: @escaping @Sendable (any IdentityWriting) throws(IdentityError) -> R
  ) async throws(IdentityError) -> R {
    do { return try await database.write { try body(Rows($0)) } } catch { throw Self.fault(error) }
  }

  /// A fault in words without values: what stands in the rows is nobody's business.
  static func fault(_ error: any Error) -> IdentityError {
    switch error {
    case let error as IdentityError: error
    case let error as DatabaseError:
      .storeFailed("SQLite \(error.resultCode.rawValue): \(error.message ?? "no reason given")")
    case is CancellationError: .storeFailed("the call was cancelled")
    default: .storeFailed("\(type(of: error))")
    }
  }
}
