internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase

/// Signing keys of sessions for APIs, which verify requests with them and cannot make requests to others.
extension IdentityPoolService {
  /// The answer to an API.
  struct SessionSigningKey {
    enum Key {
      case hmac(ScopedSigningKey)
      case ecdsa(ECDSAPublicKey)
    }

    let key: Key
    let opened: SessionTokens.Opened
    let caller: IdentityPoolOperations.Caller
    let permissions: CallPermissions
    /// In seconds.
    let maximumAge: Int64
  }

  /// Returns the signing key of a session for one API, if a policy of the caller allows it.
  ///
  /// - Parameters:
  ///   - request: the members of the request.
  ///   - context: the API's own credentials, whose signature was verified, and the time.
  /// - Returns: the key and the session.
  /// - Throws: `parameterRefused`; `callerForbidden`, `policyRefused` for the API; `sessionUnusable` for the session.
  func signingKey(
    _ request: GetScopedSigningKey.Input, in context: IdentityPoolOperations.Context
  ) async throws(IdentityError) -> SessionSigningKey {
    let resource = "arn:aws:signing-keys:\(request.region):\(settings.account):api/\(request.service)"
    try await permissions(ofAPI: context.caller).check(Self.signingKeyAction, on: [resource], context)
    // With such a key an API could call this service as its user, and get credentials with a secret.
    guard !Self.ownNames.contains(ExactString(request.service)) else {
      throw .callerForbidden(rule: "\(request.service.quoted) is the name of a service of this program")
    }
    // After the check of the caller: strangers learn nothing, and do not count as questions.
    guard (request.algorithm == .ecdsa) == (request.day == nil) else {
      throw .parameterRefused("Day", rule: "a key of SigV4 has a day, and a key of SigV4A has none")
    }
    let opened: SessionTokens.Opened
    let caller: IdentityPoolOperations.Caller
    let permissions: CallPermissions
    do throws(IdentityError) {
      opened = try sessions.open(request.sessionToken, of: request.accessKeyID, at: context.time)
      caller = try await self.caller(with: opened, of: request.accessKeyID, at: context.time)
      if let id = caller.session?.identityID, !id.isEmpty { _ = try await identity(id) }
      guard
        let found = try await CallPermissions.find(
          for: caller, in: store, account: settings.account, .fresh)
      else { throw .sessionTokenInvalid }
      permissions = found
    } catch {
      throw error.ofSession
    }
    guard permissions.areLoaded else {
      throw .sessionUnusable(
        code: IdentityError.Code.policyInvalid.rawValue,
        reason: "one of its policies was removed or cannot be loaded")
    }
    guard case .credentials(let credentials) = opened.key else { throw .sessionTokenInvalid }
    let key = try Self.key(request, of: credentials, opened, at: context.time)
    let left = max(0, opened.expiration.seconds - context.time.seconds)
    return SessionSigningKey(
      key: key, opened: opened, caller: caller, permissions: permissions,
      maximumAge: min(left, max(0, settings.sessionRecheck.wholeSeconds)))
  }

  /// The action in policies of APIs.
  private static let signingKeyAction = "signing-keys:GetScopedSigningKey"

  /// The names in signatures to the services of the program.
  package static let ownNames = Set(
    [identityPools, securityTokenService, userPools, dataSets, signingKeyService].map(\.signingName))

  /// The permissions of an API. Only a policy allows it to ask for keys: no kind of calls that a key may make does.
  private nonisolated(nonsending) func permissions(
    ofAPI caller: IdentityPoolOperations.Caller
  ) async throws(IdentityError) -> CallPermissions {
    let caller = try await withScope(caller)
    if case .unsigned = caller { throw .signatureMissing }
    if let session = caller.session {
      guard session.identityID.isEmpty, session.origin?.identityID.isEmpty ?? true else {
        throw .callerForbidden(rule: "an identity's credentials do not allow this call")
      }
    }
    guard
      let found = try await CallPermissions.find(for: caller, in: store, account: settings.account, .fresh),
      found.replacesScope
    else {
      throw .callerForbidden(rule: "only a policy allows \(Self.signingKeyAction)")
    }
    return found
  }

  private static func key(
    _ request: GetScopedSigningKey.Input, of credentials: Credentials, _ opened: SessionTokens.Opened,
    at now: Timestamp
  ) throws(IdentityError) -> SessionSigningKey.Key {
    var date: Timestamp?
    if let day = request.day {
      date = Self.start(ofDay: day, request.isPresigned ?? false, opened, at: now)
      guard date != nil else {
        throw .sessionUnusable(
          code: IdentityError.Code.scopeDayRefused.rawValue,
          reason: "no request of the day \(day.quoted) is valid now that the session has signed")
      }
    }
    do throws(SigV4Error) {
      guard let date else { return .ecdsa(try ECDSASigningKey(credentials).publicKey) }
      return .hmac(
        try ScopedSigningKey(credentials, date: date, region: request.region, service: request.service))
    } catch {
      throw .cryptoFailed("\(error)")
    }
  }

  /// The start of a day whose requests may be valid now; nil for another day.
  ///
  /// A request in headers is valid for a quarter of an hour before and after its date, a presigned one for at most seven days
  /// after it. The session has signed none before it began or after it ended.
  private static func start(
    ofDay text: String, _ isPresigned: Bool, _ opened: SessionTokens.Opened, at now: Timestamp
  ) -> Timestamp? {
    guard
      let start = Timestamp(
        rfc3339: "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6))T00:00:00Z")
    else { return nil }
    let end = start.advanced(bySeconds: 86_400)
    let skew = Int64(900)
    let validity = isPresigned ? LifetimeRule.presignedURL.longest.wholeSeconds : skew
    let isNow = now >= start.advanced(bySeconds: -skew) && now < end.advanced(bySeconds: validity)
    let isOfSession = start < opened.expiration && opened.issued < end.advanced(bySeconds: skew)
    return isNow && isOfSession ? start : nil
  }
}

extension IdentityError {
  /// The error of a session that an API asks about. Errors of the service stay what they are.
  fileprivate var ofSession: IdentityError {
    switch self {
    case .sessionTokenInvalid, .sessionExpired, .sessionRevoked, .callerForbidden, .identityUnknown,
      .identityDisabled:
      .sessionUnusable(code: codeText, reason: description)
    default: self
    }
  }
}
