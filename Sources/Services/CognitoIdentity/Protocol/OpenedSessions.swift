public import TokenLifetime
internal import TokenSecurityBase

extension IdentityPoolService {
  /// Returns the caller with temporary credentials, whose session token was opened.
  ///
  /// - Parameters:
  ///   - opened: the opened session token.
  ///   - accessKeyID: the access key id of the credentials.
  ///   - now: the time.
  /// - Returns: the caller.
  /// - Throws: `sessionTokenInvalid` where the access key was removed with which the session began; `sessionRevoked`;
  ///   `storeFailed`.
  public nonisolated(nonsending) func caller(
    with opened: SessionTokens.Opened, of accessKeyID: String, at now: Timestamp = .now
  ) async throws(IdentityError) -> IdentityPoolOperations.Caller {
    let session = opened.session
    var subjects = [RevocableSubject(kind: .session, name: accessKeyID, began: opened.issued)]
    if let session {
      if !session.identityID.isEmpty {
        subjects.append(RevocableSubject(kind: .identity, name: session.identityID, began: opened.issued))
      }
      subjects.append(RevocableSubject(kind: .role, name: session.roleARN, began: opened.issued))
      subjects += session.origin?.subjects ?? []
    }
    // The credentials end with the access key, and without a session have its rights.
    let issuer = opened.issuer
    let scope = try await store.read(at: now, .fresh) { [subjects] rows throws(IdentityError) in
      guard try !rows.isRevoked(subjects) else { throw .sessionRevoked }
      return try issuer.flatMap { id throws(IdentityError) in try rows.accessKey(id)?.scope }
    }
    guard issuer == nil || scope != nil else { throw .sessionTokenInvalid }
    if let session { return .session(session) }
    guard let id = issuer, let scope else { throw .sessionTokenInvalid }
    return .developer(accessKeyID: id, scope: scope, isTemporary: true)
  }

  /// The caller with the scope of its access key as it is now.
  ///
  /// - Throws: `callerForbidden` for an access key that was removed, and for one that is limited to pools, which a session or a
  ///   signing key would not be.
  nonisolated(nonsending) func withScope(
    _ caller: IdentityPoolOperations.Caller
  ) async throws(IdentityError) -> IdentityPoolOperations.Caller {
    guard case .developer(let id, let known, let isTemporary) = caller else { return caller }
    var scope = known
    if scope == nil { scope = try await self.scope(of: id) }
    guard let scope else { throw .callerForbidden(rule: "the access key was removed") }
    guard !scope.isLimitedToPools else {
      throw .callerForbidden(rule: "the access key is limited to pools, and the call is not")
    }
    return .developer(accessKeyID: id, scope: scope, isTemporary: isTemporary)
  }
}

extension SessionOrigin {
  /// What a revocation of one of the sessions is of, and when that began.
  fileprivate var subjects: [RevocableSubject] {
    var all = steps.flatMap {
      [
        RevocableSubject(kind: .session, name: $0.id, began: $0.issued),
        RevocableSubject(kind: .role, name: $0.roleARN, began: $0.issued),
      ]
    }
    if !identityID.isEmpty, let first = steps.first {
      all.append(RevocableSubject(kind: .identity, name: identityID, began: first.issued))
    }
    return all
  }
}
