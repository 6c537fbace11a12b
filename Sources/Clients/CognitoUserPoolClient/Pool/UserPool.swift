public import SecureRemotePassword
internal import ServiceOperations
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// A user pool and an app client of it.
///
///     let pool = try UserPool(id: "eu-west-1_Example01", clientID: "1example23456789")
///
/// The id determines the region. The endpoint and the issuer of tokens are AWS's of that region, unless they
/// are given.
public struct UserPool: Sendable {
  /// The pool's id: the region, an underscore, and letters and digits.
  public let id: String
  /// The region, from the id.
  public let region: String
  /// The app client.
  public let client: CognitoAppClient
  /// The id of an endpoint for analytics, which calls contain as `AnalyticsMetadata`.
  public let analyticsEndpointID: String?
  /// The service's address.
  public let endpoint: UserPoolEndpoint
  /// The issuer of the pool's tokens (`iss`). The keys are fetched from the endpoint; those of AWS's second issuer,
  /// which a pool can be switched to, from below it.
  public let issuer: String
  /// The issuers that tokens may have: the endpoint's and both of AWS's for the pool, which a service at another address
  /// can use, too; or the one that was given.
  let acceptedIssuers: [String]
  /// The client's secret, for the operations that take it instead of `SECRET_HASH`.
  let clientSecret: SecretText?

  /// A pool and an app client.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - clientID: the app client's id.
  ///   - clientSecret: the app client's secret. Default: the client has none. A program that is given to users
  ///     cannot keep one.
  ///   - analyticsEndpointID: the id of an endpoint for analytics. Default: none.
  ///   - endpoint: the service's address. Default: AWS's endpoint of the region.
  ///   - issuer: the issuer of the pool's tokens. Default: the endpoint's address, a slash and the pool's id. Tokens
  ///     may then also have each of the two issuers that AWS has for the pool; `identity-service` has them by default.
  /// - Throws: `configurationInvalid`.
  public init(
    id: String, clientID: String, clientSecret: consuming SecretBytes? = nil,
    analyticsEndpointID: String? = nil, endpoint: UserPoolEndpoint? = nil, issuer: String? = nil
  ) throws(UserPoolClientError) {
    let name: UserPoolID
    do { name = try UserPoolID(id) } catch { throw .configurationInvalid(rule: "\(error)") }
    do throws(SRPError) {
      if let secret = clientSecret.take() {
        client = try CognitoAppClient(id: clientID, secret: secret)
        self.clientSecret = secret.withBytes { SecretText($0) }
      } else {
        client = try CognitoAppClient(id: clientID)
        self.clientSecret = nil
      }
    } catch { throw .configurationInvalid(rule: "\(error)") }
    guard client.hasSecret == (self.clientSecret != nil) else {
      throw .configurationInvalid(rule: "the client's secret is not UTF-8")
    }
    self.id = id
    region = name.region.description
    self.analyticsEndpointID = analyticsEndpointID
    self.endpoint = endpoint ?? UserPoolEndpoint(name.region)
    self.issuer = issuer ?? "\(self.endpoint.address)/\(id)"
    let usual = [AWSRegion.userPoolHost(in: region), AWSRegion.updatedUserPoolHost(in: region)]
      .map { "https://\($0)/\(id)" }
    acceptedIssuers = issuer.map { [$0] } ?? (usual.contains(self.issuer) ? usual : [self.issuer] + usual)
  }
}
