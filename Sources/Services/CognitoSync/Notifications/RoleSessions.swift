internal import SigV4
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase

/// The credentials of roles, each kept until shortly before its end.
final class RoleSessions: Sendable {
  typealias Source = @Sendable (PublishingRole) throws(CredentialsError) -> any CredentialsSource

  private let source: Source
  private let sessions = Mutex<[ExactString: RefreshingCredentials]>([:])
  /// Maximum number of sessions. Where there are more, all are asked for again.
  private static let limit = 1_000

  init(_ source: @escaping Source) { self.source = source }

  /// The credentials of a role for a pool.
  ///
  /// - Throws: the errors of the source.
  func credentials(of role: PublishingRole, at now: Timestamp) async throws(CredentialsError) -> Credentials {
    let name = Self.name(role)
    if let known = sessions.withLock({ $0[name] }) { return try await known.credentials(at: now) }
    let new = RefreshingCredentials(try source(role))
    let session = sessions.withLock { sessions in
      if let other = sessions[name] { return other }
      if sessions.count >= Self.limit { sessions = [:] }
      sessions[name] = new
      return new
    }
    return try await session.credentials(at: now)
  }

  /// Asks for new credentials at the next call: the service does not accept these any more.
  func forget(_ role: PublishingRole) {
    let name = Self.name(role)
    sessions.withLock { $0[name] = nil }
  }

  /// No ARN has a space.
  private static func name(_ role: PublishingRole) -> ExactString {
    ExactString("\(role.poolID) \(role.arn)")
  }
}
