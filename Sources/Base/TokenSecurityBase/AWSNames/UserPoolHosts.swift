/// The host names of Cognito's user pools. An issuer of tokens is `https://`, one of them, a slash and a pool's id.
extension AWSRegion {
  /// The host name of endpoints and logins, and of issuers in the form `ORIGINAL` of a pool's `IssuerConfiguration`.
  ///
  /// - Parameter region: the region.
  /// - Returns: the host name.
  package static func userPoolHost(in region: String) -> String { host(of: "cognito-idp", in: region) }

  /// The host name of issuers in the form `UPDATED`.
  ///
  /// - Parameter region: the region.
  /// - Returns: the host name.
  package static func updatedUserPoolHost(in region: String) -> String {
    host(of: "issuer-cognito-idp", in: region)
  }

  private static func host(of service: String, in region: String) -> String {
    let partition: Partition = region.utf8.starts(with: "cn-".utf8) ? .china : .commercial
    return "\(service).\(region).\(partition.domain)"
  }
}
