internal import CognitoUserPoolClient
internal import TokenSecurityCrypto

extension LocalService {
  /// The pool as a client sees it.
  func makePool() throws -> UserPool {
    let endpoint = try UserPoolEndpoint(address: Self.address)
    guard let clientSecret else { return try UserPool(id: poolID, clientID: clientID, endpoint: endpoint) }
    return try UserPool(
      id: poolID, clientID: clientID, clientSecret: SecretBytes(clientSecret.utf8.span), endpoint: endpoint)
  }

  /// A client whose transport is this service.
  func makeClient() throws -> UserPoolClient { UserPoolClient(pool: try makePool(), transport: self) }
}
