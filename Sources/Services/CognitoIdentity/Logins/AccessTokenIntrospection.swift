internal import OpenIDConnect
public import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A login provider that says whose an opaque access token is.
///
/// The tokens of Facebook Login and the access tokens of Login with Amazon are not JWTs: only the provider can read
/// them. With a value of this type ``LoginVerifier`` asks it, for each token:
///
///     let facebook = try AccessTokenIntrospection.facebook(appID: "1234567890", appSecret: secret)
///     let logins = LoginVerifier(transport: transport, introspection: [facebook, .loginWithAmazon])
///
/// The answer must name a client of the identity pool: a token that the user gave another application is refused.
public struct AccessTokenIntrospection: Sendable {
  /// The provider.
  public let provider: LoginProvider
  private let kind: Kind
  private let address: String

  private enum Kind: Sendable {
    case facebook(appID: String, appSecret: SecretText)
    case amazon
  }

  private init(_ provider: LoginProvider, _ kind: Kind, address: String) {
    self.provider = provider
    self.kind = kind
    self.address = address
  }

  /// Facebook's `debug_token`, which an app asks for its own users' tokens.
  ///
  /// - Parameters:
  ///   - appID: the app's id.
  ///   - appSecret: the app's secret.
  /// - Returns: the provider.
  /// - Throws: `parameterRefused` unless the id has 1 to 32 digits and the secret 16 to 256 bytes.
  public static func facebook(
    appID: String, appSecret: SecretText
  ) throws(IdentityError) -> AccessTokenIntrospection {
    try facebook(appID: appID, appSecret: appSecret, address: "https://graph.facebook.com")
  }

  /// Amazon's `tokeninfo`.
  public static var loginWithAmazon: AccessTokenIntrospection { .amazon(address: "https://api.amazon.com") }

  /// The same at another address, for tests and closed networks.
  package static func facebook(
    appID: String, appSecret: SecretText, address: String
  ) throws(IdentityError) -> AccessTokenIntrospection {
    guard (1...32).contains(appID.utf8.count), appID.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .parameterRefused("appId", rule: "it must have 1 to 32 digits")
    }
    guard (16...256).contains(appSecret.withBytes({ $0.count })) else {
      throw .parameterRefused("appSecret", rule: "it must have 16 to 256 bytes")
    }
    return AccessTokenIntrospection(
      .facebook, .facebook(appID: appID, appSecret: appSecret), address: address)
  }

  /// The same at another address, for tests and closed networks.
  package static func amazon(address: String) -> AccessTokenIntrospection {
    AccessTokenIntrospection(.amazon, .amazon, address: address)
  }

  /// The question about a token; nil if it is too long for an address.
  func request(for token: String) -> TransportRequest? {
    var text = Array(address.utf8)
    func append(_ name: String, _ value: String) {
      text.append(contentsOf: name.utf8)
      PercentEncoding.append(value.utf8.span, keepingSlashes: false, to: &text)
    }
    switch kind {
    case .facebook(let appID, let appSecret):
      append("/debug_token?input_token=", token)
      // The app's own access token.
      append("&access_token=", appID + "|")
      appSecret.withBytes { PercentEncoding.append($0, keepingSlashes: false, to: &text) }
    case .amazon: append("/auth/o2/tokeninfo?access_token=", token)
    }
    // The address has secrets: an error about it is not passed on.
    guard let url = try? HTTPURL(String(decoding: text, as: UTF8.self)) else { return nil }
    return TransportRequest(
      url: url, headers: ["Accept": "application/json"],
      limits: TransportLimits(timeout: .seconds(5), responseSize: 65_536))
  }

  /// The provider's answer about a token.
  enum Outcome: Equatable {
    /// It is this user's at these clients.
    case user(String, clients: [String])
    /// It is invalid or has expired.
    case invalid(String)
    /// The response does not decide it.
    case undecided(String)
  }

  /// Reads the response.
  func outcome(_ response: TransportResponse, at now: Timestamp) -> Outcome {
    let object = (try? JSONDocument(response.body))?.object()
    switch kind {
    case .facebook:
      // An error of the whole request is the app's.
      guard response.status == 200, let data = object?["data"]?.object else {
        return .undecided("debug_token responded with status \(response.status)")
      }
      return Self.facebook(data, at: now)
    case .amazon:
      if response.status == 400, object?["error"]?.string == "invalid_token" {
        return .invalid("Amazon calls it invalid")
      }
      guard response.status == 200, let object else {
        return .undecided("tokeninfo responded with status \(response.status)")
      }
      return Self.amazon(object)
    }
  }

  private static func facebook(_ data: JSONObject, at now: Timestamp) -> Outcome {
    guard data["is_valid"]?.bool == true else { return .invalid("Facebook calls it invalid") }
    // Tokens of apps and pages are no user's login.
    guard data["type"]?.string == "USER" else { return .invalid("it is not a user's") }
    guard let end = data["expires_at"]?.int64 else { return .undecided("the response has no expires_at") }
    // 0: it does not expire.
    guard end == 0 || end > now.seconds else { return .invalid("it has expired") }
    guard let user = data["user_id"]?.string, let app = data["app_id"]?.string else {
      return .undecided("the response has no user_id or app_id")
    }
    return .user(user, clients: [app])
  }

  private static func amazon(_ object: JSONObject) -> Outcome {
    guard object["iss"]?.string == "https://www.amazon.com" else { return .invalid("its issuer is another") }
    // The seconds that are left.
    guard let rest = object["exp"]?.int64 else { return .undecided("the response has no exp") }
    guard rest > 0 else { return .invalid("it has expired") }
    guard let user = object["user_id"]?.string, let client = object["aud"]?.string else {
      return .undecided("the response has no user_id or aud")
    }
    // Pools have the client's id, or the id of the security profile that the client belongs to.
    return .user(user, clients: [client] + [object["app_id"]?.string].compactMap { $0 })
  }
}
