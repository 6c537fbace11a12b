internal import OpenIDConnect
internal import TokenSecurityBase

/// The settings of the sidecar: those of routes with policies of tokens, and of routes of signed requests.
struct SidecarConfiguration: Sendable {
  let tokens: AuthorizationConfiguration
  let keys: [SessionKeysSettings]
  let signed: [SignedRoute]

  var routeCount: Int { tokens.routes.count + signed.count }

  /// Reads a configuration.
  ///
  /// - Throws: as `AuthorizationConfiguration`.
  init(_ json: [UInt8]) throws(PolicyDocumentError) {
    var others = Others()
    tokens = try AuthorizationConfiguration(json, others: &others)
    keys = others.keys
    signed = others.routes
    for settings in keys where !signed.contains(where: { $0.keys.isIdentical(to: settings.name) }) {
      throw .member("session_keys.\(settings.name)", rule: "is of no route")
    }
  }

  private struct Others: AuthorizationConfigurationOthers {
    var keys: [SessionKeysSettings] = []
    var routes: [SignedRoute] = []
    var routeCount: Int { routes.count }

    mutating func readMembers(_ object: inout DocumentObject) throws(PolicyDocumentError) {
      for member in try object.entries("session_keys") {
        guard let members = member.value.object else {
          throw object.refused("session_keys", "\(member.name.quoted) must be an object")
        }
        var entry = DocumentObject(members, at: "session_keys.\(member.name)")
        keys.append(try SessionKeysSettings(member.name, &entry))
      }
      guard keys.count <= 64 else { throw object.refused("session_keys", "are more than 64") }
    }

    mutating func readRoute(
      _ name: String, _ object: inout DocumentObject
    ) throws(PolicyDocumentError) -> Bool {
      guard let kind = try object.text("kind") else { return false }
      switch ExactString(kind) {
      case "token": return false
      case "sigv4":
        let route = try SignedRoute(name, &object)
        guard keys.contains(where: { $0.name.isIdentical(to: route.keys) }) else {
          throw object.refused("keys", "is \(route.keys.quoted), which is not in session_keys")
        }
        routes.append(route)
        return true
      default: throw object.refused("kind", "is \(kind.quoted) and must be \"token\" or \"sigv4\"")
      }
    }
  }
}
