internal import ArgumentParser
internal import CognitoIdentity
internal import ServiceOperations
internal import TokenSecurityBase

/// The settings of identity pools that have options, for `create` and `update`.
struct IdentityPoolOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Give guests identities (AllowUnauthenticatedIdentities).")
  var allowGuests: Bool?
  @Flag(inversion: .prefixedNo, help: "Enable the basic flow (AllowClassicFlow).")
  var allowClassicFlow: Bool?
  @Option(
    help: ArgumentHelp(
      "The name of your own service in Logins (DeveloperProviderName). It can be added later, and not be changed.",
      valueName: "name"))
  var developerProvider: String?
  @Option(
    help: ArgumentHelp(
      "A public provider and its client id (SupportedLoginProviders). Repeatable.",
      valueName: "provider=client"))
  var loginProvider: [String] = []
  @Option(
    help: ArgumentHelp(
      "The ARN of an OpenID provider (OpenIdConnectProviderARNs). Repeatable.", valueName: "arn"))
  var openidProvider: [String] = []
  @Option(
    help: ArgumentHelp(
      "A user pool, cognito-idp.REGION.amazonaws.com/POOL, and an app client (CognitoIdentityProviders). "
        + "Repeatable.", valueName: "pool=client"))
  var userPool: [String] = []
  @Option(help: ArgumentHelp("The role of users, which `role put` adds.", valueName: "arn"))
  var authenticatedRole: String?
  @Option(help: ArgumentHelp("The role of guests.", valueName: "arn"))
  var unauthenticatedRole: String?
  @Option(
    help: ArgumentHelp(
      "A JSON file with role mappings by provider (RoleMappings). They replace those of the providers that it names.",
      valueName: "file"), completion: .file())
  var roleMapping: String?
  @Option(help: ArgumentHelp("A tag (IdentityPoolTags). Repeatable.", valueName: "key=value"))
  var tag: [String] = []

  /// Changes the settings of a pool: the members of `UpdateIdentityPool` and `SetIdentityPoolRoles`.
  func apply(to input: inout OptionInput) throws {
    input.set("AllowUnauthenticatedIdentities", "--allow-guests", allowGuests.map { .bool($0) })
    input.set("AllowClassicFlow", "--allow-classic-flow", allowClassicFlow.map { .bool($0) })
    input.set("DeveloperProviderName", "--developer-provider", text: developerProvider)
    for (provider, client) in try NamedValues.pairs(loginProvider, "--login-provider") {
      input.members.set(["SupportedLoginProviders", provider], to: .string(client))
      input.note("SupportedLoginProviders", "--login-provider", "\(provider)=\(client)")
    }
    for arn in openidProvider {
      input.members.add(.string(arn), to: "OpenIdConnectProviderARNs")
      input.note("OpenIdConnectProviderARNs", "--openid-provider", arn)
    }
    for (name, client) in try NamedValues.pairs(userPool, "--user-pool") {
      input.members.add(
        ["ProviderName": .string(name), "ClientId": .string(client)], to: "CognitoIdentityProviders")
      input.note("CognitoIdentityProviders", "--user-pool", "\(name)=\(client)")
    }
    for (kind, option, arn) in [
      ("authenticated", "--authenticated-role", authenticatedRole),
      ("unauthenticated", "--unauthenticated-role", unauthenticatedRole),
    ] {
      guard let arn else { continue }
      input.members.set(["Roles", kind], to: .string(arn))
      input.note("Roles", option, arn)
    }
    if let roleMapping {
      let mappings = try CallSettings.read(roleMapping, member: "RoleMappings", of: SetIdentityPoolRoles.self)
      for mapping in mappings.members {
        input.members.set(["RoleMappings", mapping.name], to: mapping.value)
      }
    }
    for (key, value) in try NamedValues.pairs(tag, "--tag") {
      input.members.set(["IdentityPoolTags", key], to: .string(value))
      input.note("IdentityPoolTags", "--tag", "\(key)=\(value)")
    }
  }
}

extension JSONObject {
  /// Adds an element to a list that does not have it. An app client of a user pool has two members that identify it.
  fileprivate mutating func add(_ value: JSONValue, to name: String) {
    var list = self[name]?.array ?? []
    let isThere = list.contains { one in
      guard let own = one.object, let given = value.object else { return one == value }
      return given.members.allSatisfy { own[$0.name] == $0.value }
    }
    if !isThere { list.append(value) }
    self[name] = .array(list)
  }
}
