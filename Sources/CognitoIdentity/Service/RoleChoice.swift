internal import TokenSecurityEncodings
internal import OpenIDConnect

/// The role of the enhanced flow: which one the pool gives a caller.
///
/// A login's mapping decides before the pool's default role. `CustomRoleArn` chooses among the roles that a mapping
/// offers, and never adds one.
enum RoleChoice {
  /// The role's ARN.
  ///
  /// - Parameters:
  ///   - caller: the caller with its logins, in the order of their providers' names.
  ///   - pool: the identity's pool.
  ///   - custom: `CustomRoleArn`.
  /// - Throws: `customRoleRefused`, `roleAmbiguous`, `roleNotSet`.
  static func role(
    for caller: IdentityCaller, in pool: IdentityPool, custom: String?
  ) throws(IdentityError) -> String {
    var chosen: String?
    var offered: [String] = []
    for login in caller.logins {
      guard let mapping = mapping(for: login, in: pool) else { continue }
      let found = roles(mapping, login)
      // A mapping that says Deny counts whatever the other logins bring.
      guard !found.offered.isEmpty || found.chosen != nil || mapping.ambiguity == .authenticatedRole else {
        throw custom.map { .customRoleRefused($0) } ?? .roleAmbiguous
      }
      guard custom != nil || found.chosen != nil || mapping.ambiguity == .authenticatedRole else {
        throw .roleAmbiguous
      }
      offered += found.offered
      chosen = chosen ?? found.chosen
    }
    if let custom {
      guard offered.contains(custom) else { throw .customRoleRefused(custom) }
      return custom
    }
    if let chosen { return chosen }
    let kind = caller.isGuest ? "unauthenticated" : "authenticated"
    guard let arn = pool.roles[kind] else { throw .roleNotSet(kind: kind) }
    return arn
  }

  /// A mapping is under the provider's name, an OpenID provider's also under its ARN, and a user pool's under its name
  /// and the app client's id.
  private static func mapping(for login: VerifiedLogin, in pool: IdentityPool) -> RoleMapping? {
    if let mapping = pool.roleMappings[login.provider] { return mapping }
    switch login.source {
    case .userPool:
      for client in login.claims.audience ?? [] {
        if let mapping = pool.roleMappings["\(login.provider):\(client)"] { return mapping }
      }
      return nil
    case .openID(let arn): return pool.roleMappings[arn]
    case .developer, .social: return nil
    }
  }

  /// What a mapping makes of a login: the role without `CustomRoleArn`, and those that it may name.
  private static func roles(
    _ mapping: RoleMapping, _ login: VerifiedLogin
  ) -> (chosen: String?, offered: [String]) {
    switch mapping.kind {
    case .token:
      // Only a user pool's administrators say which roles its tokens name. Elsewhere users may choose their claims.
      guard login.source == .userPool else { return (nil, []) }
      let offered = login.claims["cognito:roles"]?.strings ?? []
      let preferred = login.claims["cognito:preferred_role"]?.string
      return (preferred ?? (offered.count == 1 ? offered[0] : nil), offered)
    case .rules:
      let offered = mapping.rules.filter { $0.matches(values(login.claims[$0.claim])) }.map(\.roleARN)
      return (offered.first, offered)
    }
  }

  /// The texts of a claim; none for an absent claim and for other types.
  static func values(_ claim: JSONValue?) -> [String] {
    switch claim {
    case .string(let text)?: [text]
    case .bool(let bool)?: [String(bool)]
    case .number(let number)?: [number.description]
    case .array?: claim?.strings ?? []
    default: []
    }
  }
}

extension RoleMapping.Rule {
  /// Whether a claim with these values matches. One of several is enough, but `NotEqual` needs all of them to differ; a
  /// claim that is absent matches nothing.
  func matches(_ values: [String]) -> Bool {
    match == .notEqual
      ? !values.isEmpty && values.allSatisfy { match.holds($0, value) }
      : values.contains { match.holds($0, value) }
  }
}
