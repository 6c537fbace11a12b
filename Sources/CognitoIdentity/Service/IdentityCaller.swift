internal import Encodings

/// Who calls for an identity, and which role follows from it.
struct IdentityCaller: Sendable {
  let identityID: String
  /// Providers, and how a token tells who the user is there; none for a guest.
  let told: [(provider: String, amr: String)]
  /// The logins whose tokens came along.
  let logins: [VerifiedLogin]
  var tags: [String: String] = [:]

  var isGuest: Bool { told.isEmpty }

  /// `amr`, as trust policies see it.
  var methods: [String] {
    isGuest ? ["unauthenticated"] : ["authenticated"] + told.flatMap { [$0.provider, $0.amr] }
  }

  /// The role's ARN: the one that is asked for, where the token has it; else the one that the pool's mappings lead to;
  /// else the pool's for this kind of identity.
  func role(in pool: IdentityPool, custom: String?) throws(IdentityError) -> String {
    if let custom {
      let offered = logins.flatMap { $0.claims["cognito:roles"]?.strings ?? [] }
      guard offered.contains(custom) else { throw .customRoleRefused(custom) }
      return custom
    }
    for login in logins {
      guard let mapping = mapping(for: login, in: pool) else { continue }
      if let mapped = Self.role(mapping, login.claims) { return mapped }
      guard mapping.ambiguity == .authenticatedRole else { throw .roleAmbiguous }
    }
    let kind = isGuest ? "unauthenticated" : "authenticated"
    guard let arn = pool.roles[kind] else { throw .roleNotSet(kind: kind) }
    return arn
  }

  // A user pool's mapping is under its name and the app client's id.
  private func mapping(for login: VerifiedLogin, in pool: IdentityPool) -> RoleMapping? {
    if let mapping = pool.roleMappings[login.provider] { return mapping }
    for client in login.claims.audience ?? [] {
      if let mapping = pool.roleMappings["\(login.provider):\(client)"] { return mapping }
    }
    return nil
  }

  private static func role(_ mapping: RoleMapping, _ claims: TokenClaims) -> String? {
    switch mapping.kind {
    case .token:
      if let preferred = claims["cognito:preferred_role"]?.string { return preferred }
      let roles = claims["cognito:roles"]?.strings ?? []
      return roles.count == 1 ? roles[0] : nil
    case .rules:
      return mapping.rules.first { rule in
        values(claims[rule.claim]).contains { rule.match.holds($0, rule.value) }
      }?.roleARN
    }
  }

  // A claim that is a list holds where one of its elements does.
  private static func values(_ claim: JSONValue?) -> [String] {
    switch claim {
    case .string(let text)?: [text]
    case .bool(let bool)?: [String(bool)]
    case .number(let number)?: [number.description]
    case .array?: claim?.strings ?? []
    default: []
    }
  }

  /// The session's tags, by the pool's maps.
  static func tags(_ logins: [VerifiedLogin], _ pool: IdentityPool) -> [String: String] {
    var tags: [String: String] = [:]
    for login in logins {
      guard let map = pool.principalTagMaps[login.provider] else { continue }
      let claims =
        map.usesDefaults ? ["username": "sub", "client": "aud"] : map.tags
      for (tag, claim) in claims {
        let value = claim == "aud" ? login.claims.audience?.first : values(login.claims[claim]).first
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
  /// That the role's trust policy admits a caller.
  func admit(_ caller: TrustPolicy.Caller) throws(IdentityError) {
    guard try TrustPolicy(json: trustPolicy).admits(caller) else { throw .roleRefused(arn) }
  }
}
