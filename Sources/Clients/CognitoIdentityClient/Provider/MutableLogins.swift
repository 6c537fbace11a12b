internal import Synchronization
internal import TokenSecurityBase

/// Logins that an application changes while a provider uses them.
///
///     let logins = MutableLogins()
///     let provider = try IdentityProvider(poolID: pool, calls: calls, logins: logins)
///     logins["accounts.google.com"] = token     // the user has signed in
///     await provider.clearCredentials()         // the next call reads the logins
///
/// A provider reads the logins when it needs credentials, so that a change alone does not end credentials which it has
/// cached: ``IdentityProvider/clearCredentials()`` does, and ``IdentityProvider/clearIdentity()`` for another user.
public final class MutableLogins: LoginsSource {
  private let values: Mutex<[ExactString: String]>

  /// Creates a source.
  ///
  /// - Parameter values: tokens by provider name. Default: none, for a guest.
  public init(_ values: [String: String] = [:]) { self.values = Mutex(Self.byName(values)) }

  /// The token of a provider; nil for none. Assigning nil removes the login.
  ///
  /// - Parameter provider: the provider's name.
  public subscript(provider: String) -> String? {
    get { values.withLock { $0[ExactString(provider)] } }
    set { values.withLock { $0[ExactString(provider)] = newValue } }
  }

  /// Replaces all logins at once.
  ///
  /// - Parameter values: tokens by provider name; none for a guest.
  public func replace(with values: [String: String]) {
    let values = Self.byName(values)
    self.values.withLock { $0 = values }
  }

  /// The current logins.
  ///
  /// - Returns: tokens by provider name.
  /// - Throws: nothing.
  public func logins() async throws(IdentityClientError) -> [String: String] {
    values.withLock { values in
      var logins: [String: String] = [:]
      for (provider, token) in values { logins[provider.text] = token }
      return logins
    }
  }

  private static func byName(_ values: [String: String]) -> [ExactString: String] {
    var logins: [ExactString: String] = [:]
    for (provider, token) in values { logins[ExactString(provider)] = token }
    return logins
  }
}
