internal import CognitoIdentity
internal import JOSE
internal import Testing

/// The role or error for each flow, login, mapping, `CustomRoleArn` and trust policy.
@Suite struct RoleTableTests {
  enum Login: String, CaseIterable, Sendable { case guest, developer, userPool, openID, google, classicToken }

  enum Mapping: String, CaseIterable, Sendable {
    case none, tokenDefault, tokenDeny, rulesDefault, rulesDeny, noRuleDefault, noRuleDeny

    func value(_ claim: String) -> RoleMapping? {
      let rules = [
        RoleMapping.Rule(claim: claim, match: .equals, value: "x", roleARN: RoleTableTests.first),
        RoleMapping.Rule(claim: "absent", match: .notEqual, value: "x", roleARN: RoleTableTests.foreign),
        RoleMapping.Rule(claim: claim, match: .startsWith, value: "x", roleARN: RoleTableTests.later),
      ]
      let unmatched = [
        RoleMapping.Rule(claim: claim, match: .equals, value: "y", roleARN: RoleTableTests.first)
      ]
      return switch self {
      case .none: nil
      case .tokenDefault: RoleMapping(kind: .token, ambiguity: .authenticatedRole, rules: [])
      case .tokenDeny: RoleMapping(kind: .token, ambiguity: .deny, rules: [])
      case .rulesDefault: RoleMapping(kind: .rules, ambiguity: .authenticatedRole, rules: rules)
      case .rulesDeny: RoleMapping(kind: .rules, ambiguity: .deny, rules: rules)
      case .noRuleDefault: RoleMapping(kind: .rules, ambiguity: .authenticatedRole, rules: unmatched)
      case .noRuleDeny: RoleMapping(kind: .rules, ambiguity: .deny, rules: unmatched)
      }
    }
  }

  /// `CustomRoleArn`: absent, one of the two roles in the token, a role of a later rule, or a role that
  /// nothing offers.
  enum Custom: String, CaseIterable, Sendable { case absent, inToken, later, foreign }

  enum Trust: String, CaseIterable, Sendable { case admitting, denying, unevaluable }

  static let account = "arn:aws:iam::123456789012:role/"
  static let first = account + "first"
  static let later = account + "later"
  static let named = account + "named"
  static let foreign = account + "foreign"

  /// The role or the error's code in the enhanced flow with a trust policy that allows the caller: rows are
  /// logins and mappings, columns are ``Custom``.
  static let table: [(Login, [Mapping], [String])] = [
    (.guest, Mapping.allCases, ["guest", "refused", "refused", "refused"]),
    // A developer token has no claims: no rule matches, and the token names no role.
    (.developer, [.none], ["default", "refused", "refused", "refused"]),
    (
      .developer, [.tokenDefault, .rulesDefault, .noRuleDefault],
      ["default", "refused", "refused", "refused"]
    ),
    (.developer, [.tokenDeny, .rulesDeny, .noRuleDeny], ["ambiguous", "refused", "refused", "refused"]),
    // Its token names two roles and prefers none.
    (.userPool, [.none], ["default", "refused", "refused", "refused"]),
    (.userPool, [.tokenDefault], ["default", "named", "refused", "refused"]),
    (.userPool, [.tokenDeny], ["ambiguous", "named", "refused", "refused"]),
    (.userPool, [.rulesDefault, .rulesDeny], ["first", "refused", "later", "refused"]),
    (.userPool, [.noRuleDefault], ["default", "refused", "refused", "refused"]),
    (.userPool, [.noRuleDeny], ["ambiguous", "refused", "refused", "refused"]),
    // With other providers the same claims name no role.
    (.openID, [.none, .tokenDefault, .noRuleDefault], ["default", "refused", "refused", "refused"]),
    (.openID, [.tokenDeny, .noRuleDeny], ["ambiguous", "refused", "refused", "refused"]),
    (.openID, [.rulesDefault, .rulesDeny], ["first", "refused", "later", "refused"]),
    (.google, [.none, .tokenDefault, .noRuleDefault], ["default", "refused", "refused", "refused"]),
    (.google, [.tokenDeny, .noRuleDeny], ["ambiguous", "refused", "refused", "refused"]),
    (.google, [.rulesDefault, .rulesDeny], ["first", "refused", "later", "refused"]),
    // A token of GetOpenIdToken instead of a developer token does not bypass mappings.
    (.classicToken, Mapping.allCases, ["login_refused", "login_refused", "login_refused", "login_refused"]),
  ]

  static let codes = ["refused": "custom_role_refused", "ambiguous": "role_ambiguous"]

  @Test func theTableIsWhole() {
    for login in Login.allCases {
      let mappings = Self.table.filter { $0.0 == login }.flatMap(\.1)
      #expect(mappings.map(\.rawValue).sorted() == Mapping.allCases.map(\.rawValue).sorted(), "\(login)")
    }
    #expect(Self.table.allSatisfy { $0.2.count == Custom.allCases.count })
  }

  @Test(arguments: Trust.allCases)
  func enhancedFlow(_ trust: Trust) async throws {
    let f = try await Fixture(trust == .unevaluable ? .sqlite : .memory)
    defer { f.remove() }
    try await Self.putRoles(f, trust)
    for (login, mappings, columns) in Self.table {
      let (identity, logins, keys) = try await Self.signIn(login, f)
      for mapping in mappings {
        try await Self.map(mapping.value("custom:x"), keys, f)
        for (custom, expected) in zip(Custom.allCases, columns) {
          let found = await Self.outcome {
            try await f.service.issueCredentials(
              for: identity, logins: logins, customRole: Self.arn(custom), at: Fixture.now
            ).session?.roleARN ?? ""
          }
          #expect(
            found == Self.expected(expected, trust), "\(login) \(mapping) \(custom) \(trust): \(found)")
        }
      }
    }
  }

  /// The basic flow: the device names the role, and its trust policy decides.
  @Test(arguments: Trust.allCases, [true, false])
  func basicFlow(_ trust: Trust, _ isOn: Bool) async throws {
    let f = try await Fixture(trust == .unevaluable ? .sqlite : .memory)
    defer { f.remove() }
    try await Self.putRoles(f, trust)
    for login in Login.allCases where login != .classicToken {
      let (identity, logins, _) = try await Self.signIn(login, f)
      let token =
        login == .developer
        ? logins[CredentialsTests.tokenName] ?? ""
        : try await f.service.issueOpenIDToken(for: identity, logins: logins, at: Fixture.now).token
      try await Self.setClassicFlow(isOn, f)
      let role = login == .guest ? Fixture.guestRole : Self.foreign
      let found = await Self.outcome {
        try await f.service.assumeRole(
          .init(roleARN: role, sessionName: "table", token: token), at: Fixture.now
        ).session?.roleARN ?? ""
      }
      let expected = isOn ? Self.expected(login == .guest ? "guest" : "foreign", trust) : "classic_flow_off"
      #expect(found == expected, "\(login) \(trust) \(isOn)")
      try await Self.setClassicFlow(true, f)
    }
  }

  // MARK: Parts

  static func expected(_ name: String, _ trust: Trust) -> String {
    if let code = codes[name] { return code }
    if name == "login_refused" { return name }
    switch trust {
    case .admitting:
      return name == "default" ? Fixture.role : name == "guest" ? Fixture.guestRole : account + name
    case .denying: return "role_refused"
    case .unevaluable: return "role_unusable"
    }
  }

  static func arn(_ custom: Custom) -> String? {
    switch custom {
    case .absent: nil
    case .inToken: named
    case .later: later
    case .foreign: foreign
    }
  }

  static func outcome(_ body: () async throws -> String) async -> String {
    var role = ""
    let error = await code { role = try await body() }
    return error.isEmpty ? role : error
  }

  static func setClassicFlow(_ isOn: Bool, _ f: Fixture) async throws {
    var pool = try await f.service.describePool(f.pool.id)
    pool.allowsClassicFlow = isOn
    let changed = pool
    try await f.store.write { rows throws(IdentityError) in try rows.put(changed) }
  }

  /// Stores a mapping as older versions did, even one that is refused today.
  static func map(_ mapping: RoleMapping?, _ keys: [String], _ f: Fixture) async throws {
    var pool = try await f.service.describePool(f.pool.id)
    pool.roleMappings = [:]
    for key in keys { pool.roleMappings[key] = mapping }
    let changed = pool
    try await f.store.write { rows throws(IdentityError) in try rows.put(changed) }
  }

  static func putRoles(_ f: Fixture, _ trust: Trust) async throws {
    for arn in [Fixture.role, Fixture.guestRole, first, later, named, foreign] {
      let method = arn == Fixture.guestRole ? "unauthenticated" : "authenticated"
      let admitting = Fixture.trust(f.pool.id, method)
      var policy = admitting
      func deny(_ condition: String) -> String {
        let statement =
          #"{"Effect": "Deny", "Principal": {"Federated": "cognito-identity.amazonaws.com"}, "#
          + #""Action": "sts:AssumeRoleWithWebIdentity", "Condition": {\#(condition)}}, "#
        return admitting.replacing("[{\"Effect\"", with: "[\(statement){\"Effect\"", maxReplacements: 1)
      }
      switch trust {
      case .admitting: break
      case .denying:
        policy = deny(#""ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "*authenticated"}"#)
      case .unevaluable:
        policy = deny(#""StringLike": {"cognito-identity.amazonaws.com:amr": "*banned*"}"#)
      }
      let role = StoredRole(
        arn: arn, trustPolicy: trust == .unevaluable ? admitting : policy, longestSession: .seconds(3_600))
      try await f.store.write { rows throws(IdentityError) in try rows.put(role) }
      guard trust == .unevaluable else { continue }
      // The check refuses such a policy. An earlier version stored it.
      let stored = StoredRole(arn: arn, trustPolicy: policy)
      try await f.store.write { rows throws(IdentityError) in try rows.put(stored, in: IdentityTables.roles) }
    }
  }

  /// An identity, its logins, and the possible keys of its mapping.
  static func signIn(
    _ login: Login, _ f: Fixture
  ) async throws -> (identity: String, logins: NameMap<String>, keys: [String]) {
    let provider: String
    switch login {
    case .guest:
      return (try await f.service.resolveIdentity(poolID: f.pool.id, at: Fixture.now), [:], ["none.example"])
    case .developer:
      let jane = try await f.token("jane")
      return (jane.identityID, [CredentialsTests.tokenName: jane.token], [Fixture.developer])
    case .userPool: provider = Fixture.userPool
    case .openID, .classicToken: provider = "id.example/tenant"
    case .google: provider = "accounts.google.com"
    }
    let token = try f.issuers.token(provider, "user-\(login)") {
      $0["cognito:roles"] = [.string(first), .string(named)]
      $0["custom:x"] = "x"
    }
    let identity = try await f.service.resolveIdentity(
      poolID: f.pool.id, logins: [provider: token], at: Fixture.now)
    if login == .classicToken {
      let issued = try await f.service.issueOpenIDToken(
        for: identity, logins: [provider: token], at: Fixture.now)
      return (identity, [CredentialsTests.tokenName: issued.token], [provider])
    }
    let key =
      login == .userPool ? provider + ":client1" : login == .openID ? Fixture.openIDProvider : provider
    return (identity, [provider: token], [key])
  }
}
