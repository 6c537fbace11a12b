public import ServiceOperations
internal import TokenSecurityBase

/// Stores sessions and remembered devices between starts of an application.
///
/// ``MemorySessionStore`` keeps them while the application runs, ``FileSessionStore`` in a file. An application
/// can have its own, over a keychain for instance: a store keeps texts by key and reads none of them.
///
/// Calls come one at a time from each ``UserPoolSessions``. They must return soon: no network.
public protocol SessionStore: Sendable {
  /// Reads a value.
  ///
  /// - Parameter key: the value's key.
  /// - Returns: the value; nil if none is stored. A session that is no longer stored has ended.
  /// - Throws: `storeUnavailable`.
  func load(_ key: SessionKey) throws(UserPoolClientError) -> SecretText?

  /// Replaces a value. When this returns, the value is stored.
  ///
  /// - Parameters:
  ///   - value: the value, at most ``SessionKey/valueLimit`` bytes.
  ///   - key: the value's key.
  /// - Throws: `storeUnavailable`; the earlier value remains.
  func save(_ value: SecretText, for key: SessionKey) throws(UserPoolClientError)

  /// Deletes a value, unless none is stored.
  ///
  /// - Parameter key: the value's key.
  /// - Throws: `storeUnavailable`.
  func delete(_ key: SessionKey) throws(UserPoolClientError)
}

/// The key of a value in a ``SessionStore``: a pool, an app client and what is stored.
public struct SessionKey: Sendable, Hashable {
  /// The pool's id.
  public let poolID: String
  /// The app client's id.
  public let clientID: String
  /// The kind of the stored value.
  public let item: Item

  /// The kinds of values that a store keeps.
  public enum Item: Sendable, Hashable {
    /// The names of the current user and of the last one.
    case users
    /// A user's tokens.
    case session(username: String)
    /// The device that the pool remembers for a user; for an alias, the name of its user.
    case device(username: String)
  }

  /// Maximum size of a value in bytes: 256 KiB.
  public static var valueLimit: Int { 256 << 10 }

  /// A key.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - clientID: the app client's id.
  ///   - item: what is stored.
  public init(poolID: String, clientID: String, item: Item) {
    self.poolID = poolID
    self.clientID = clientID
    self.item = item
  }

  /// The kind of the item as stores write it.
  var kind: String {
    switch item {
    case .users: "users"
    case .session: "session"
    case .device: "device"
    }
  }

  /// The item's user; nil for the names.
  var username: String? {
    switch item {
    case .users: nil
    case .session(let username), .device(let username): username
    }
  }

  /// The item of a kind and a user; nil for others.
  static func item(kind: String, username: String?) -> Item? {
    switch (kind, username) {
    case ("users", nil): .users
    case ("session", let username?): .session(username: username)
    case ("device", let username?): .device(username: username)
    default: nil
    }
  }
}

extension SessionKey {
  /// Checks the size of a value.
  func check(_ value: SecretText) throws(UserPoolClientError) {
    guard value.withBytes({ $0.count }) <= Self.valueLimit else {
      throw .storeUnavailable("the \(kind) has more than \(Self.valueLimit) bytes")
    }
  }
}
