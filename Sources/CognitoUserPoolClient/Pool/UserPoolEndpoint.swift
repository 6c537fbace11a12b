internal import AWSNames
internal import HTTPExchange
internal import TokenSecurityEncodings

/// The address of a user pool's service: AWS's endpoint of a region, or another service's.
public struct UserPoolEndpoint: Sendable, Hashable {
  /// The address, without a trailing slash.
  public let address: String
  /// True for an endpoint of AWS.
  let isAWS: Bool

  /// AWS's endpoint of a region.
  ///
  /// - Parameter region: the region, such as `eu-west-1`.
  /// - Throws: `configurationInvalid` for a malformed region.
  public init(region: String) throws(UserPoolClientError) {
    do { self.init(try AWSRegion(region)) } catch { throw .configurationInvalid(rule: "\(error)") }
  }

  /// The address of another service, as of `identity-service`.
  ///
  /// - Parameter address: `https://HOST` or `https://HOST:PORT`. `http://` is accepted for `127.0.0.1`, `[::1]`
  ///   and `localhost` only.
  /// - Throws: `configurationInvalid`.
  public init(address: String) throws(UserPoolClientError) {
    if let rule = HTTPURL.brokenRule(ofEndpoint: address) { throw .configurationInvalid(rule: rule) }
    self.address = address
    isAWS = false
  }

  init(_ region: AWSRegion) {
    address = "https://\(region.host(of: "cognito-idp"))"
    isAWS = true
  }
}
