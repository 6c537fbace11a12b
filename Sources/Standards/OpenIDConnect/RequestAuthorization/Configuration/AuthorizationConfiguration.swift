internal import JOSE
public import Logging
internal import TokenSecurityBase

/// A policy with its name.
public struct AuthorizationPolicy: Sendable {
  /// The name, by which routes refer to it.
  public let name: String
  /// The policy.
  public let document: PolicyDocument
  /// Its text, which tells whether two configurations have the same policy.
  let json: [UInt8]

  /// Why a route cannot have this policy, or nil: each method by which tokens may be bound is checked by the route, and each
  /// that the route checks is accepted.
  func problem(of route: AuthorizationRoute) -> String? {
    for issuer in document.issuers {
      var accepted: [String] = []
      switch issuer.policy.binding {
      case .unchecked: continue
      case .refused: break
      case .only(let methods): accepted = methods
      }
      for method in accepted where !route.checkedMethods.contains(method) {
        return
          "is \(name.quoted), which accepts tokens that are bound by \(method.quoted); the route does not check that"
      }
      for method in route.checkedMethods where !accepted.contains(method) {
        return "is \(name.quoted), whose binding must accept \(method.quoted), which the route checks"
      }
    }
    return nil
  }

  /// Opens the file of `trust_roots`.
  ///
  /// - Throws: `member` for a file that cannot be read.
  package func checkFiles() throws(PolicyDocumentError) { try document.checkFiles(at: "policies.\(name)") }
}

/// The settings of a sidecar, as its file says.
///
/// ```json
/// {
///   "version": 1,
///   "listen": "unix:/run/verify-token/sidecar.sock",
///   "policies": {
///     "users": {"version": 1, "issuers": [
///       {"profile": "cognito-user-pool", "pool": "eu-west-1_Example01", "use": "access", "client_ids": ["1example"]}]}
///   },
///   "routes": {
///     "orders": {"policy": "users", "scopes": ["orders/read"], "headers": {"X-User": "sub"}}
///   }
/// }
/// ```
///
/// Unknown members, names that occur twice and values out of range are refused.
public struct AuthorizationConfiguration: Sendable {
  /// Where decisions are asked for.
  public let listen: ListenAddress
  /// Where health and metrics are; nil for nowhere.
  public let management: ListenAddress?
  /// The lowest level of log messages.
  public let logLevel: Logger.Level
  /// Maximum number of connections at a time.
  public let connections: Int
  /// The policies by their names.
  public let policies: [AuthorizationPolicy]
  /// The routes.
  public let routes: [AuthorizationRoute]
  /// A file with the key of the nonces of DPoP proofs; nil for no nonces.
  public let nonceKeyFile: String?

  /// The version of the format.
  public static let version: Int64 = 1
  /// Maximum size of a file in bytes.
  public static let limit = 1 << 20
  /// Maximum number of routes in a file.
  public static let routeLimit = 1_000

  /// Reads a configuration.
  ///
  /// - Parameter json: the file's bytes, at most 1 MiB.
  /// - Throws: `json` for a text that is not JSON, `member` for a member that breaks a rule, and the errors of a
  ///   `PolicyDocument`.
  public init(_ json: [UInt8]) throws(PolicyDocumentError) {
    var none = NoOthers()
    try self.init(json, others: &none)
  }

  /// Reads a configuration that has members and routes of a program's own.
  ///
  /// - Parameters:
  ///   - json: the file's bytes, at most 1 MiB.
  ///   - others: reads what is not this type's. If it has routes, there may be no policies.
  /// - Throws: as `init(_:)`, and the errors of `others`.
  package init<Others: AuthorizationConfigurationOthers>(
    _ json: [UInt8], others: inout Others
  ) throws(PolicyDocumentError) {
    let document: JSONDocument
    do { document = try JSONDocument(json, limits: JSONLimits(size: Self.limit, depth: 20)) } catch {
      throw .json(error, sentence: error.sentence(in: json))
    }
    guard document.kind(at: 0) == .object else { throw .member("the document", rule: "must be an object") }
    var object = DocumentObject(document.object(), at: "")
    guard try object.number("version", Self.version...Self.version) != nil else {
      throw object.refused("version", "is required and must be \(Self.version)")
    }
    listen = try Self.address(&object, "listen", mode: try Self.mode(&object))
    management =
      object.value("management") == nil
      ? nil : try Self.address(&object, "management", mode: ListenAddress.defaultMode)
    if let management, listen.isSameAddress(as: management) {
      throw object.refused("management", "must be another address than listen")
    }
    logLevel = try Self.level(&object)
    connections = Int(try object.number("connections", 1...65_536) ?? 1_024)
    try others.readMembers(&object)
    policies = try Self.policies(&object)
    routes = try Self.routes(&object, policies, &others)
    guard !policies.isEmpty || routes.isEmpty && others.routeCount > 0 else {
      throw object.refused("policies", "must be 1 to 64 policies")
    }
    nonceKeyFile = try object.text("nonce_key_file")
    if nonceKeyFile != nil, routes.allSatisfy({ $0.proof == nil }) {
      throw object.refused("nonce_key_file", "is for routes with dpop, of which there is none")
    }
    try object.refuseOthers()
  }

  private static func address(
    _ object: inout DocumentObject, _ name: String, mode: UInt32
  ) throws(PolicyDocumentError) -> ListenAddress {
    let text = try object.requiredText(name)
    guard let address = ListenAddress(text) else {
      throw object.refused(
        name,
        "is \(text.quoted) and must be unix:/PATH (at most 103 bytes, its folder 95, without \"..\"), "
          + "or a port of this machine: 127.0.0.1:PORT or [::1]:PORT")
    }
    if case .socket(let path, _) = address { return .socket(path: path, mode: mode) }
    return address
  }

  /// The mode of the socket, as `chmod` has it.
  private static func mode(_ object: inout DocumentObject) throws(PolicyDocumentError) -> UInt32 {
    guard let text = try object.text("socket_mode") else { return ListenAddress.defaultMode }
    guard text.utf8.count == 3, let mode = UInt32(text, radix: 8), mode & 0o600 == 0o600, mode & 0o111 == 0
    else {
      throw object.refused(
        "socket_mode", "is \(text.quoted) and must be like \"660\": read and write, no execution")
    }
    return mode
  }

  private static func level(_ object: inout DocumentObject) throws(PolicyDocumentError) -> Logger.Level {
    guard let text = try object.text("log_level") else { return .info }
    guard let level = Logger.Level(rawValue: text) else {
      let names = Logger.Level.allCases.map(\.rawValue)
      throw object.refused("log_level", "is \(text.quoted) and must be \(names.quotedList)")
    }
    return level
  }

  private static func policies(
    _ object: inout DocumentObject
  ) throws(PolicyDocumentError) -> [AuthorizationPolicy] {
    var policies: [AuthorizationPolicy] = []
    for member in try object.entries("policies") {
      guard let policy = member.value.object else {
        throw object.refused("policies", "\(member.name.quoted) must be an object")
      }
      let json = JSONWriter.write(policy)
      let document = try PolicyDocument(json, at: "policies.\(member.name)")
      policies.append(AuthorizationPolicy(name: member.name, document: document, json: json))
    }
    guard policies.count <= 64 else { throw object.refused("policies", "must be 1 to 64 policies") }
    return policies
  }

  private static func routes<Others: AuthorizationConfigurationOthers>(
    _ object: inout DocumentObject, _ policies: [AuthorizationPolicy], _ others: inout Others
  ) throws(PolicyDocumentError) -> [AuthorizationRoute] {
    var routes: [AuthorizationRoute] = []
    for member in try object.entries("routes") {
      guard AuthorizationRoute.isName(member.name) else {
        throw object.refused(
          "routes", "have \(member.name.quoted); names are 1 to 64 letters, digits, - and _")
      }
      guard let members = member.value.object else {
        throw object.refused("routes", "\(member.name.quoted) must be an object")
      }
      var route = DocumentObject(members, at: "routes.\(member.name)")
      if try others.readRoute(member.name, &route) {
        try route.refuseOthers()
        continue
      }
      let made = try AuthorizationRoute(member.name, &route)
      guard let policy = policies.first(where: { $0.name.isIdentical(to: made.policy) }) else {
        throw route.refused("policy", "is \(made.policy.quoted), which is not in policies")
      }
      if let problem = policy.problem(of: made) { throw route.refused("policy", problem) }
      try route.refuseOthers()
      routes.append(made)
    }
    guard (1...routeLimit).contains(routes.count + others.routeCount) else {
      throw object.refused("routes", "must be 1 to \(routeLimit) routes")
    }
    return routes
  }
}
