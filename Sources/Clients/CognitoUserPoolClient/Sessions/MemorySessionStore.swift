public import ServiceOperations
internal import Synchronization

/// Keeps sessions while the application runs, for several tasks.
public final class MemorySessionStore: SessionStore {
  private let values = Mutex<[SessionKey: SecretText]>([:])
  /// Maximum number of values.
  private static let capacity = 10_000

  /// An empty store.
  public init() {}

  /// Reads a value.
  ///
  /// - Parameter key: the value's key.
  /// - Returns: the value; nil if none is stored.
  /// - Throws: nothing.
  public func load(_ key: SessionKey) throws(UserPoolClientError) -> SecretText? {
    values.withLock { $0[key] }
  }

  /// Replaces a value.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the value's key.
  /// - Throws: `storeUnavailable` for a value that is too large, and if there are 10,000 others.
  public func save(_ value: SecretText, for key: SessionKey) throws(UserPoolClientError) {
    try key.check(value)
    let hasRoom = values.withLock { values in
      guard values[key] != nil || values.count < Self.capacity else { return false }
      values[key] = value
      return true
    }
    guard hasRoom else { throw .storeUnavailable("the memory has \(Self.capacity) values") }
  }

  /// Deletes a value, unless none is stored.
  ///
  /// - Parameter key: the value's key.
  /// - Throws: nothing.
  public func delete(_ key: SessionKey) throws(UserPoolClientError) { values.withLock { $0[key] = nil } }
}
