internal import CognitoIdentity
internal import CognitoSync
internal import HTTPExchange
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// How push messages are sent: the file of `--push`, of mode 600.
///
/// ```json
/// {"webhook": {"url": "https://gateway.example/push", "secret": "…"}}
/// {"sns": {}}
/// {"sns": {"profile": "push", "endpoint": "https://…", "tokenService": "https://…"}}
/// {"sns": {"credentials": "service", "endpoint": "http://127.0.0.1:5000"}}
/// ```
///
/// With `sns`, the pool's role is assumed at AWS STS with the operator's credentials of the environment or a profile.
/// With `credentials` `service` this service issues the role's credentials itself, for an endpoint that is not AWS's.
enum PushSenderSettings {
  case webhook(SignedWebhook)
  case sns(profile: String?, tokenService: HTTPURL?, endpoint: HTTPURL?)
  case ownRoles(endpoint: HTTPURL)

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - path: the file; nil for none.
  ///   - transport: sends requests to a webhook.
  /// - Returns: the settings; nil without a file.
  /// - Throws: `OperatingError` that names the member and the rule.
  static func read(_ path: String?, transport: any HTTPTransport) throws -> PushSenderSettings? {
    guard let path else { return nil }
    func refused(_ rule: String) -> OperatingError { SecretFile.refused(path, rule) }
    let object = try SecretFile.object(path, setting: "--push")
    guard object.members.count == 1, let member = object.members.first, let settings = member.value.object
    else { throw refused("it must have one member, webhook or sns, which is an object") }
    func check(_ names: [String]) throws {
      for setting in settings.members where !names.contains(setting.name) || setting.value.string == nil {
        throw refused("\(member.name.quoted) can have the texts \(names.quotedList)")
      }
    }
    switch member.name {
    case "webhook":
      try check(["url", "secret"])
      guard let url = settings["url"]?.string, let secret = settings["secret"]?.string else {
        throw refused("\"webhook\" must have url and secret")
      }
      do {
        return .webhook(
          try SignedWebhook(url, secret: SecretBytes(secret.utf8.span), transport: transport))
      } catch {
        throw refused("\(error)")
      }
    case "sns":
      try check(["profile", "endpoint", "tokenService", "credentials"])
      func address(_ name: String) throws -> HTTPURL? {
        guard let text = settings[name]?.string else { return nil }
        if let rule = HTTPURL.brokenRule(ofEndpoint: text) { throw refused(rule) }
        return HTTPURL(endpoint: text)
      }
      let (endpoint, tokenService) = (try address("endpoint"), try address("tokenService"))
      let profile = settings["profile"]?.string
      guard let credentials = settings["credentials"]?.string else {
        return .sns(profile: profile, tokenService: tokenService, endpoint: endpoint)
      }
      guard credentials == "service" else { throw refused("\"credentials\" can be \"service\"") }
      guard let endpoint, tokenService == nil, profile == nil else {
        throw refused("credentials of the service need endpoint, and neither profile nor tokenService")
      }
      return .ownRoles(endpoint: endpoint)
    default: throw refused("it must have one member, webhook or sns")
    }
  }

  /// The sender for these settings.
  ///
  /// - Parameters:
  ///   - service: the service with the roles.
  ///   - transport: sends requests.
  /// - Returns: the sender.
  /// - Throws: `OperatingError` for a region whose addresses are not known.
  func sender(_ service: IdentityPoolService, transport: any HTTPTransport) throws -> any PushSender {
    switch self {
    case .webhook(let webhook): return PushWebhook(webhook: webhook)
    case .ownRoles(let endpoint):
      return SNSPushSender(rolesOf: service, endpoint: endpoint, transport: transport)
    case .sns(let profile, let tokenService, let endpoint):
      do {
        return try SNSPushSender(
          operatorProfile: profile, region: service.settings.region, tokenService: tokenService,
          endpoint: endpoint, transport: transport)
      } catch {
        throw OperatingError("push messages: \(error)")
      }
    }
  }
}
