internal import OpenIDConnect
internal import TokenSecurityBase

/// Chooses the role of the enhanced flow.
///
/// A login's role mapping takes precedence over the pool's default role. `CustomRoleArn` selects one of the
/// roles that a mapping offers.
enum RoleChoice {
  /// Returns the role's ARN.
  ///
  /// - Parameters:
  ///   - caller: the caller, its logins ordered by their providers' names.
  ///   - pool: the identity's pool.
  ///   - custom: `CustomRoleArn`.
  /// - Returns: the role's ARN.
  /// - Throws: `customRoleRefused`, `roleAmbiguous`, `roleNotSet`.
  static func role(
    for caller: IdentityCaller, in pool: IdentityPool, custom: String?
  ) throws(IdentityError) -> String {
    var chosen: String?
    var offered: [String] = []
    for login in caller.logins {
      guard let mapping = mapping(for: login, in: pool) else { continue }
      let found = roles(mapping, login)
      // Deny of one mapping refuses the caller, whatever roles other logins have.
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

  /// Finds a login's mapping: under the provider's name, for OpenID providers also under the ARN, for user
  /// pools also under the name, a colon and the app client's id.
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

  /// Applies a mapping to a login: the role without `CustomRoleArn`, and the roles that `CustomRoleArn` may
  /// select.
  private static func roles(
    _ mapping: RoleMapping, _ login: VerifiedLogin
  ) -> (chosen: String?, offered: [String]) {
    switch mapping.kind {
    case .token:
      // In user pools administrators set the roles in tokens. With other providers users may choose their
      // claims.
      guard login.source == .userPool else { return (nil, []) }
      let offered = login.claims["cognito:roles"]?.strings ?? []
      let preferred = login.claims["cognito:preferred_role"]?.string
      return (preferred ?? (offered.count == 1 ? offered[0] : nil), offered)
    case .rules:
      let offered = mapping.rules.filter { $0.matches(values(login.claims[$0.claim])) }.map(\.roleARN)
      return (offered.first, offered)
    }
  }

  /// The texts of a claim; empty for an absent claim and for other types.
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
  /// True where one of a claim's values matches; for `NotEqual`, where all values differ. Absent claims never
  /// match.
  func matches(_ values: [String]) -> Bool {
    match == .notEqual
      ? !values.isEmpty && values.allSatisfy { match.matches($0, value) }
      : values.contains { match.matches($0, value) }
  }
}
