internal import TokenSecurityBase

/// `iss` of the tokens of a service's pools.
public struct PoolIssuers: Sendable, Hashable {
  /// The region of the pools.
  let region: String
  /// The part of `iss` before the slash and the pool's id; nil where pools choose between Cognito's own addresses.
  private let prefix: String?

  init(region: String, prefix: String?) {
    self.region = region
    self.prefix = prefix
  }

  /// `iss` of a pool's tokens, in the form that the pool is set to.
  ///
  /// - Parameter pool: the pool.
  /// - Returns: the issuer.
  package func issuer(of pool: UserPool) -> String {
    ownIssuer(ofPool: pool.id) ?? "\(pool.hasUpdatedIssuer ? updatedPrefix : originalPrefix)\(pool.id)"
  }

  /// `iss` of a pool's tokens where the service has an issuer of its own.
  ///
  /// - Parameter id: the pool's id.
  /// - Returns: the issuer; nil where pools choose between Cognito's own addresses.
  public func ownIssuer(ofPool id: String) -> String? { prefix.map { "\($0)/\(id)" } }

  /// The prefixes of a pool's id in `iss` of this service's tokens. A pool that changes the form of its issuer takes no
  /// token back.
  var prefixes: [String] { prefix.map { [$0 + "/"] } ?? [originalPrefix, updatedPrefix] }

  private var originalPrefix: String { "https://\(AWSRegion.userPoolHost(in: region))/" }
  private var updatedPrefix: String { "https://\(AWSRegion.updatedUserPoolHost(in: region))/" }

  /// Checks that the service has the form of issuer that a pool is set to.
  ///
  /// - Throws: `parameterRefused`.
  func check(_ pool: UserPool) throws(UserPoolError) {
    guard let prefix, pool.hasUpdatedIssuer else { return }
    throw .parameterRefused(
      "IssuerConfiguration",
      rule: "UPDATED is one of Cognito's own addresses, and the issuer of this service is \(prefix)")
  }
}
