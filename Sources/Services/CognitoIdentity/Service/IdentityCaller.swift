internal import OpenIDConnect
internal import TokenSecurityBase

/// The caller of an identity with its verified logins.
struct IdentityCaller: Sendable {
  let identityID: String
  /// The provider and the `amr` element of each login; none for a guest.
  let loginMethods: [(provider: String, amr: String)]
  /// The logins that role mappings apply to.
  let logins: [VerifiedLogin]
  /// `amr` for trust policies, the same in both flows.
  let methods: [String]
  /// The session's tags.
  let tags: NameMap<String>
  /// False where the caller's logins were linked to the identity for this call.
  let changedNothing: Bool

  var isGuest: Bool { loginMethods.isEmpty }

  init(guest identityID: String) {
    self.identityID = identityID
    loginMethods = []
    logins = []
    methods = ["unauthenticated"]
    tags = [:]
    changedNothing = true
  }

  /// A user of public providers.
  init(_ identityID: String, _ logins: [VerifiedLogin], in pool: IdentityPool, changedNothing: Bool) {
    self.identityID = identityID
    self.changedNothing = changedNothing
    self.logins = logins
    loginMethods = logins.map { ($0.provider, $0.amr) }
    methods = ["authenticated"] + logins.flatMap { [$0.provider, $0.amr] }
    tags = Self.tags(logins, pool)
  }

  /// The holder of a developer token. The token has no claims of the user, so no mapping rule matches.
  init(_ token: IdentityTokens.Verified, developer: CognitoLogins.Login) {
    identityID = token.identityID
    // Provider and user alternate after the first element.
    loginMethods = stride(from: 1, to: token.methods.count - 1, by: 2).map {
      (token.methods[$0], token.methods[$0 + 1])
    }
    methods = token.methods
    tags = token.tags
    changedNothing = true
    logins = [
      VerifiedLogin(
        provider: developer.provider, user: developer.userIdentifier ?? "", claims: TokenClaims(JSONObject()),
        amr: "", source: .developer)
    ]
  }

  /// Maps claims to session tags.
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
  /// Returns a role as it is now.
  func role(_ arn: String) async throws(IdentityError) -> StoredRole? {
    try await store.read(at: .now, .fresh) { rows throws(IdentityError) in try rows.role(arn) }
  }
}

extension StoredRole {
  /// Checks that the trust policy allows the caller.
  ///
  /// - Throws: `roleRefused`; `roleUnusable` for a policy from an earlier version that this version cannot
  ///   load.
  package func check(_ caller: TrustPolicy.Caller) throws(IdentityError) {
    guard try trust().allows(caller) else { throw .roleRefused(arn) }
  }

  /// The trust policy.
  ///
  /// - Throws: `roleUnusable` for a policy from an earlier version that this version cannot load.
  func trust() throws(IdentityError) -> TrustPolicy {
    do {
      return try TrustPolicy(json: trustPolicy)
    } catch {
      guard case .trustPolicyInvalid(let rule) = error else { throw error }
      throw .roleUnusable(arn, rule: rule)
    }
  }
}
