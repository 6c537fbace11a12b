internal import CognitoIdentity
internal import HTTPExchange
internal import ServiceOperations
internal import TokenSecurityBase

/// The login providers that are asked about opaque access tokens.
///
/// ```json
/// {"graph.facebook.com": {"appId": "1234567890", "appSecret": "…"}, "www.amazon.com": {}}
/// ```
///
/// A provider that the file does not name is off. `address` has another address, for tests and closed networks.
enum IntrospectionSettings {
  /// Reads the file of `--introspection`.
  ///
  /// - Parameter path: the file; nil for none.
  /// - Returns: the providers.
  /// - Throws: `OperatingError` that names the provider and the rule.
  static func read(_ path: String?) throws -> [AccessTokenIntrospection] {
    guard let path else { return [] }
    return try SecretFile.object(path, setting: "--introspection").members.map { member in
      func refused(_ rule: String) -> OperatingError {
        SecretFile.refused(path, "\(member.name.quoted): \(rule)")
      }
      guard let settings = member.value.object else { throw refused("it must be an object") }
      let expected: [String]
      switch member.name {
      case "graph.facebook.com": expected = ["address", "appId", "appSecret"]
      case "www.amazon.com": expected = ["address"]
      default: throw refused("it must be graph.facebook.com or www.amazon.com")
      }
      for setting in settings.members where !expected.contains(setting.name) || setting.value.string == nil {
        throw refused("it can have the texts \(expected.quotedList)")
      }
      let address = settings["address"]?.string
      if let address, let rule = HTTPURL.brokenRule(ofEndpoint: address) { throw refused(rule) }
      guard member.name == "graph.facebook.com" else {
        return address.map { .amazon(address: $0) } ?? .loginWithAmazon
      }
      do throws(IdentityError) {
        return try .facebook(
          appID: settings["appId"]?.string ?? "", appSecret: SecretText(settings["appSecret"]?.string ?? ""),
          address: address ?? "https://graph.facebook.com")
      } catch {
        throw refused("\(error)")
      }
    }
  }
}
