internal import TokenSecurityEncodings
internal import OpenIDConnect

/// The caller of an identity, and what its logins prove.
struct IdentityCaller: Sendable {
  let identityID: String
  /// Providers, and how a token names the user there; none for a guest.
  let told: [(provider: String, amr: String)]
  /// The logins that the pool's role mappings are asked for.
  let logins: [VerifiedLogin]
  /// `amr`, as trust policies see it: the same in the basic and in the enhanced flow.
  let methods: [String]
  /// The session's tags.
  let tags: NameMap<String>

  var isGuest: Bool { told.isEmpty }

  /// An identity that has not signed in.
  init(guest identityID: String) {
    self.identityID = identityID
    told = []
    logins = []
    methods = ["unauthenticated"]
    tags = [:]
  }

  /// The holder of tokens of public providers.
  init(_ identityID: String, _ logins: [VerifiedLogin], in pool: IdentityPool) {
    self.identityID = identityID
    self.logins = logins
    told = logins.map { ($0.provider, $0.amr) }
    methods = ["authenticated"] + logins.flatMap { [$0.provider, $0.amr] }
    tags = Self.tags(logins, pool)
  }

  /// The holder of a developer token. It has no claims of the user, so that no rule of a mapping matches.
  init(_ token: IdentityTokens.Judged, developer: CognitoLogins.Login) {
    identityID = token.identityID
    // Every login of such a token names its user: the elements come in pairs.
    told = stride(from: 1, to: token.methods.count - 1, by: 2).map {
      (token.methods[$0], token.methods[$0 + 1])
    }
    methods = token.methods
    tags = token.tags
    logins = [
      VerifiedLogin(
        provider: developer.provider, user: developer.userIdentifier ?? "", claims: TokenClaims(JSONObject()),
        amr: "", source: .developer)
    ]
  }

  /// The session's tags, by the pool's maps.
  private static func tags(_ logins: [VerifiedLogin], _ pool: IdentityPool) -> NameMap<String> {
    var tags: NameMap<String> = [:]
    for login in logins {
      guard let map = pool.principalTagMaps[login.provider] else { continue }
      let claims: NameMap<String> = map.usesDefaults ? ["username": "sub", "client": "aud"] : map.tags
      for (tag, claim) in claims {
        let value =
          claim == "aud" ? login.claims.audience?.first : RoleChoice.values(login.claims[claim]).first
        if let value, (1...256).contains(value.unicodeScalars.count) { tags[tag] = value }
      }
    }
    return tags
  }
}

extension IdentityPoolService {
  /// A role, where there is one.
  func role(_ arn: String) throws(IdentityError) -> StoredRole? {
    try store.read { rows throws(IdentityError) in try rows.role(arn) }
  }
}

extension StoredRole {
  /// Throws `roleRefused` unless the trust policy admits the caller.
  ///
  /// A policy that was stored by an earlier version may not load any more: then nobody can assume the role
  /// (`roleUnusable`).
  func admit(_ caller: TrustPolicy.Caller) throws(IdentityError) {
    let policy: TrustPolicy
    do {
      policy = try TrustPolicy(json: trustPolicy)
    } catch {
      guard case .trustPolicyInvalid(let rule) = error else { throw error }
      throw .roleUnusable(arn, rule: rule)
    }
    guard policy.admits(caller) else { throw .roleRefused(arn) }
  }
}
