internal import ServiceOperations
internal import TokenSecurityBase

/// The stored values of one pool and app client.
///
/// A value that could not be stored is kept here, and each later call tries again. The failure is thrown once: a full
/// disk must not lock a signed-in user out, and must not be silent.
struct SessionRecords {
  private let store: any SessionStore
  private let poolID: String
  private let clientID: String
  private var unsaved: [SessionKey: Unsaved] = [:]
  /// Why a value was given up.
  private var lost: UserPoolClientError?

  /// Maximum number of values that wait for the store. Further ones are given up.
  private static let capacity = 1_000
  /// Maximum number of failures in one attempt to store the waiting values: a store that fails mostly fails for all.
  private static let mostFailures = 8

  /// A change that the store does not have.
  private struct Unsaved {
    /// Nil for a deletion.
    let value: SecretText?
    var failure: UserPoolClientError
    var isReported = false
  }

  init(_ store: any SessionStore, of pool: UserPool) {
    self.store = store
    poolID = pool.id
    clientID = pool.client.id
  }

  /// The value of an item: the newest, also if it could not be stored.
  func value(_ item: SessionKey.Item) throws(UserPoolClientError) -> SecretText? {
    let key = key(item)
    if let change = unsaved[key] { return change.value }
    return try store.load(key)
  }

  /// Stores a value, or deletes it if it is nil. A failure is kept for ``report()``.
  ///
  /// - Returns: false if the value was given up.
  @discardableResult
  mutating func set(_ value: SecretText?, for item: SessionKey.Item) -> Bool {
    let key = key(item)
    do throws(UserPoolClientError) {
      try write(value, key)
      unsaved[key] = nil
    } catch {
      // A deletion has no value and is always kept: without it, a user who signed out would be signed in again.
      guard value == nil || item == .users || unsaved[key] != nil || unsaved.count < Self.capacity else {
        lost = error
        return false
      }
      unsaved[key] = Unsaved(value: value, failure: error)
    }
    return true
  }

  /// Tries to store what could not be stored.
  mutating func flush() {
    var failures = 0
    for (key, change) in unsaved {
      do throws(UserPoolClientError) {
        try write(change.value, key)
        unsaved[key] = nil
      } catch {
        unsaved[key]?.failure = error
        failures += 1
        guard failures < Self.mostFailures else { return }
      }
    }
  }

  /// Throws why a value is not stored, once for each change.
  mutating func report() throws(UserPoolClientError) {
    var first = lost
    lost = nil
    for (key, change) in unsaved where !change.isReported {
      first = first ?? change.failure
      unsaved[key]?.isReported = true
    }
    if let first { throw first }
  }

  private func write(_ value: SecretText?, _ key: SessionKey) throws(UserPoolClientError) {
    if let value { try store.save(value, for: key) } else { try store.delete(key) }
  }

  private func key(_ item: SessionKey.Item) -> SessionKey {
    SessionKey(poolID: poolID, clientID: clientID, item: item)
  }
}
