internal import CognitoUserPoolClient
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Clients of a pool over scripted responses.
enum TestClient {
  static let poolID = "eu-west-1_Example01"

  static func pool(secret: String? = nil, analytics: String? = nil) throws -> UserPool {
    guard let secret else {
      return try UserPool(id: poolID, clientID: "client1", analyticsEndpointID: analytics)
    }
    return try UserPool(
      id: poolID, clientID: "client1", clientSecret: SecretBytes(secret.utf8.span),
      analyticsEndpointID: analytics)
  }

  static func make(
    _ transport: ScriptedTransport, secret: String? = nil, analytics: String? = nil
  ) throws -> UserPoolClient {
    UserPoolClient(pool: try pool(secret: secret, analytics: analytics), transport: transport)
  }

  /// A password.
  static func password(_ text: String = "Correct-horse-9") -> SecretBytes { SecretBytes(text.utf8.span) }

  /// The delivery of a code in a response.
  static let delivery: JSONValue = [
    "Destination": "t***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email",
  ]
}
