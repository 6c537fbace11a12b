package import TokenLifetime
package import TokenSecurityBase

/// The contents of the ID token and the access token of a sign-in.
package struct TokenContents: Sendable {
  package var pool: UserPool
  package var client: UserPoolClient
  package var user: User
  /// The groups and roles of the user.
  package var groups: TokenGroups
  /// The changes of PreTokenGeneration; nil where nothing changes.
  package var changes: TokenChanges?
  /// `iss`.
  package var issuer: String
  /// `origin_jti`.
  package var signInID: String
  package var deviceKey: String?
  /// `auth_time`: when the user signed in.
  package var signedIn: Timestamp
  /// `event_id`.
  package var eventID: String
  package var now: Timestamp

  package init(
    pool: UserPool, client: UserPoolClient, user: User, groups: TokenGroups, changes: TokenChanges?,
    issuer: String, signInID: String, deviceKey: String?, signedIn: Timestamp, eventID: String, now: Timestamp
  ) {
    self.pool = pool
    self.client = client
    self.user = user
    self.groups = groups
    self.changes = changes
    self.issuer = issuer
    self.signInID = signInID
    self.deviceKey = deviceKey
    self.signedIn = signedIn
    self.eventID = eventID
    self.now = now
  }

  /// The scope of the user's own operations.
  package static let ownScope = "aws.cognito.signin.user.admin"

  /// The groups and roles, as PreTokenGeneration replaces them.
  private var shownGroups: TokenGroups { changes?.groups ?? groups }

  /// The claims of the ID token (OpenID Connect Core section 2, and Cognito's own).
  ///
  /// - Parameter tokenID: `jti`.
  /// - Returns: the claims.
  package func idToken(tokenID: String) -> JSONObject {
    var claims = JSONObject()
    claims["sub"] = .string(user.sub)
    let rules = AttributeRules(pool)
    for (name, value) in user.attributes.sorted(by: { $0.key < $1.key })
    where rules.isReadable(name.text, by: client) {
      claims[name.text] = Self.claim(name.text, value)
    }
    let shown = shownGroups
    claims["cognito:groups"] = Self.texts(shown.groups)
    claims["cognito:roles"] = Self.texts(shown.roles)
    claims["cognito:preferred_role"] = shown.preferredRole.map(JSONValue.string)
    claims["cognito:username"] = .string(user.name)
    claims["aud"] = .string(client.id)
    addCommon(to: &claims, use: "id", tokenID: tokenID, lifetime: client.idTokenLifetime)
    if let changes { Self.apply(changes.idToken, to: &claims, isAccessToken: false) }
    return claims
  }

  /// The claims of the access token. It has no `aud`.
  ///
  /// - Parameter tokenID: `jti`.
  /// - Returns: the claims.
  package func accessToken(tokenID: String) -> JSONObject {
    var claims = JSONObject()
    claims["sub"] = .string(user.sub)
    claims["device_key"] = deviceKey.map(JSONValue.string)
    claims["cognito:groups"] = Self.texts(shownGroups.groups)
    claims["client_id"] = .string(client.id)
    addCommon(to: &claims, use: "access", tokenID: tokenID, lifetime: client.accessTokenLifetime)
    claims["scope"] = .string(scopes.joined(separator: " "))
    claims["username"] = .string(user.name)
    if let changes { Self.apply(changes.accessToken, to: &claims, isAccessToken: true) }
    return claims
  }

  private var scopes: [String] {
    var scopes = [Self.ownScope]
    guard let changes else { return scopes }
    for scope in changes.addedScopes where !scopes.contains(where: { $0.isIdentical(to: scope) }) {
      scopes.append(scope)
    }
    return scopes.filter { !changes.suppressedScopes.contains(ExactString($0)) }
  }

  private func addCommon(to claims: inout JSONObject, use: String, tokenID: String, lifetime: Duration) {
    claims["iss"] = .string(issuer)
    claims["origin_jti"] = .string(signInID)
    claims["event_id"] = .string(eventID)
    claims["token_use"] = .string(use)
    claims["auth_time"] = .number(JSONNumber(signedIn.seconds))
    claims["exp"] = .number(JSONNumber(now.advanced(bySeconds: lifetime.wholeSeconds).seconds))
    claims["iat"] = .number(JSONNumber(now.seconds))
    claims["jti"] = .string(tokenID)
  }

  /// An attribute as a claim: flags are booleans, `address` is an object (OpenID Connect Core section 5.1.1),
  /// and all else is text.
  private static func claim(_ name: String, _ value: String) -> JSONValue {
    switch name {
    case "email_verified", "phone_number_verified": .bool(value.isIdentical(to: "true"))
    case "address": .object(["formatted": .string(value)])
    default: .string(value)
    }
  }

  /// A list as a claim; an empty one is left out.
  private static func texts(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map(JSONValue.string))
  }

  /// Adds and removes claims. Reserved ones never change, whatever the function says.
  private static func apply(_ changes: ClaimChanges, to claims: inout JSONObject, isAccessToken: Bool) {
    for (name, value) in changes.added.sorted(by: { $0.key < $1.key })
    where !ReservedClaims.contains(name.text, isAccessToken: isAccessToken) {
      claims[name.text] = value
    }
    for name in changes.suppressed where !ReservedClaims.contains(name.text, isAccessToken: isAccessToken) {
      claims[name.text] = nil
    }
  }
}

extension TokenGroups {
  /// The claims of a user's groups, which are ordered by precedence and name: the roles without repetition,
  /// and the role of the first precedence. Groups of this precedence with different roles leave none preferred.
  package init(_ groups: [UserGroup]) {
    var roles: [String] = []
    for role in groups.compactMap(\.roleARN) where !roles.contains(where: { $0.isIdentical(to: role) }) {
      roles.append(role)
    }
    let withRoles = groups.filter { $0.roleARN != nil }
    let first = withRoles.filter { $0.precedence == withRoles.first?.precedence }
    let isAmbiguous = Set(first.compactMap { $0.roleARN.map { ExactString($0) } }).count > 1
    self.init(
      groups: groups.map(\.name), roles: roles, preferredRole: isAmbiguous ? nil : first.first?.roleARN)
  }
}
