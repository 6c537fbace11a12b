internal import CognitoIdentityClient
internal import OpenIDConnect
internal import SigV4
internal import TokenSecurityBase

/// A route of the kind `sigv4`: requests that are signed with the credentials of sessions, and what their policies must allow.
struct SignedRoute: Sendable, Hashable {
  let name: String
  /// The name in `session_keys`.
  let keys: String
  let policy: VerifierPolicy
  /// Whether a signature in header fields is accepted once.
  let isOnce: Bool
  let mapping: AccessMapping
  let fields: ProxyFields
  /// Maximum size of bodies that the proxy hands over; nil where it does not.
  let bodyLimit: Int?
  let headers: [SessionField]

  /// Maximum size of a body in bytes that `body_limit` can have.
  static let longestBody: Int64 = 16 << 20

  init(_ name: String, _ object: inout DocumentObject) throws(PolicyDocumentError) {
    self.name = name
    keys = try object.requiredText("keys")
    mapping = try Self.mapping(&object)
    policy = try Self.policy(&object, mapping)
    isOnce = try object.bool("once")
    fields = try ProxyFields(&object)
    let body = try object.text("body") ?? "declared"
    let limit = try object.number("body_limit", 1...Self.longestBody)
    switch ExactString(body) {
    case "declared":
      bodyLimit = nil
      guard limit == nil else { throw object.refused("body_limit", "is for \"body\": \"checked\"") }
    case "checked": bodyLimit = Int(limit ?? 1 << 20)
    default: throw object.refused("body", "is \(body.quoted) and must be \"declared\" or \"checked\"")
    }
    guard bodyLimit == nil || !policy.payloads.contains(.nothing) else {
      throw object.refused("unsigned_bodies", "is not for \"body\": \"checked\", which compares the hash")
    }
    headers = try SessionField.fields(&object)
  }

  /// Whether a text can be a host with or without a port in the field `Host`: no URL and no wildcard, with which a route would
  /// refuse all requests.
  private static func isHost(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-._:[]".utf8.contains($0)
    }
  }

  private static func policy(
    _ object: inout DocumentObject, _ mapping: AccessMapping
  ) throws(PolicyDocumentError) -> VerifierPolicy {
    let service = try object.requiredText("service")
    let region = try object.requiredText("region")
    let hosts = try object.requiredTexts("hosts")
    for host in hosts where !isHost(host) {
      throw object.refused(
        "hosts", "have \(host.quoted), which is not HOST or HOST:PORT in lower case, as callers sign it")
    }
    var policy = VerifierPolicy(
      service: service, region: region, hosts: .oneOf(hosts), form: mapping == .s3 ? .s3 : nil)
    policy.payloads = [.hash]
    if try object.bool("presigned") { policy.placements.insert(.query) }
    if try object.bool("sigv4a") { policy.algorithms.insert(.ecdsaP256SHA256) }
    if try object.bool("unsigned_bodies") { policy.payloads.insert(.nothing) }
    if try object.bool("plus_as_space") {
      guard mapping != .s3 else { throw object.refused("plus_as_space", "is not for the form \"s3\"") }
      policy.plusInQuery = .space
    }
    do throws(SigV4Error) { _ = try RequestVerifier(policy: policy) } catch {
      throw object.refused("service", "or region: \(error)")
    }
    return policy
  }

  private static func mapping(_ object: inout DocumentObject) throws(PolicyDocumentError) -> AccessMapping {
    guard let form = try object.text("form") else {
      var actions: [(method: String, action: String)] = []
      for member in try object.entries("actions") {
        guard let action = member.value.string, AccessTemplate.isAction(action), !member.name.isEmpty,
          member.name.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D })
        else {
          throw object.refused(
            "actions",
            "\(member.name.quoted) must be a method in upper case, with one action: SERVICE:NAME")
        }
        actions.append((member.name, action))
      }
      guard (1...32).contains(actions.count) else {
        throw object.refused(
          "actions", "must be 1 to 32 methods with an action each, or there must be a form")
      }
      let resource = try object.requiredText("resource")
      let prefix = try object.text("path_prefix") ?? ""
      do throws(AccessMappingError) {
        return .template(try AccessTemplate(actions: actions, resource: resource, prefix: prefix))
      } catch {
        throw object.refused("resource", "or path_prefix: \(error)")
      }
    }
    switch ExactString(form) {
    case "s3": return .s3
    case "execute-api":
      let (account, api) = (try object.requiredText("account"), try object.requiredText("api"))
      let stage = try object.text("stage")
      for (name, text) in [("account", account), ("api", api), ("stage", stage ?? "")]
      where text.utf8.contains(where: { "*?:/".utf8.contains($0) }) {
        throw object.refused(name, "is \(text.quoted); it is one part of a resource, without wildcards")
      }
      return .executeAPI(
        ExecuteAPIForm(
          region: try object.requiredText("region"), account: account, api: api, stage: stage))
    default: throw object.refused("form", "is \(form.quoted) and must be \"execute-api\" or \"s3\"")
    }
  }
}
