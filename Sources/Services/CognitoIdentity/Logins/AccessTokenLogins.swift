internal import OpenIDConnect
internal import Synchronization
internal import TokenSecurityBase

/// Asks login providers about opaque access tokens.
final class AccessTokenLogins: Sendable {
  private let providers: [LoginProvider: AccessTokenIntrospection]
  private let transport: any HTTPTransport
  private let calls = Mutex(0)

  /// Maximum number of questions at a time: each login with any text costs one.
  private static let capacity = 64

  init(_ introspection: [AccessTokenIntrospection], _ transport: any HTTPTransport) {
    var providers: [LoginProvider: AccessTokenIntrospection] = [:]
    for provider in introspection { providers[provider.provider] = provider }
    self.providers = providers
    self.transport = transport
  }

  /// True for a token that the provider must be asked about: it is not a JWT.
  func decides(_ token: String, of provider: LoginProvider) -> Bool {
    providers[provider] != nil && token.utf8.count(where: { $0 == UInt8(ascii: ".") }) != 2
  }

  /// The user of a token.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - provider: the provider.
  ///   - name: the provider's name in `Logins`.
  ///   - clientIDs: the pool's clients at the provider.
  ///   - now: the current time.
  /// - Returns: the user's id at the provider, and the pool's client that the token is for.
  /// - Throws: `loginRefused` for a token that the provider refuses, or that is another application's;
  ///   `loginNotVerified` if the provider does not decide it now.
  func user(
    of token: String, _ provider: LoginProvider, _ name: String, clientIDs: [String], at now: Timestamp
  ) async throws(IdentityError) -> (id: String, client: String) {
    func refused(_ code: String, _ reason: String) -> IdentityError {
      .loginRefused(provider: name, code: code, reason: reason)
    }
    guard let introspection = providers[provider] else { throw .providerNotSupported(name) }
    guard !token.isEmpty else { throw refused("token_empty", "the token is empty") }
    guard let request = introspection.request(for: token) else {
      throw refused("token_too_large", "the access token is too long to ask its provider")
    }
    let response = try await send(request, name)
    switch introspection.outcome(response, at: now) {
    case .invalid(let reason): throw refused("access_token_refused", reason)
    case .undecided(let reason): throw .loginNotVerified(provider: name, reason: reason)
    case .user(let user, let clients):
      guard let client = clients.first(where: { clientIDs.contains($0) }) else {
        throw refused("audience_mismatch", "it is of another application: \(clients.quotedList)")
      }
      return (user, client)
    }
  }

  private func send(
    _ request: TransportRequest, _ name: String
  ) async throws(IdentityError) -> TransportResponse {
    let hasRoom = calls.withLock { calls in
      guard calls < Self.capacity else { return false }
      calls += 1
      return true
    }
    guard hasRoom else {
      throw .loginNotVerified(provider: name, reason: "\(Self.capacity) access tokens are being asked about")
    }
    defer { calls.withLock { $0 -= 1 } }
    do throws(TransportError) { return try await transport.send(request) } catch {
      // Its text can have the address, which has the token and the app's secret.
      throw .loginNotVerified(provider: name, reason: "the provider was not reached: \(error.codeText)")
    }
  }
}
