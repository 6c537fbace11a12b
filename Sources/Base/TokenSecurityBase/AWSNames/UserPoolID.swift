/// The id of a Cognito user pool: the region, an underscore, and letters and digits.
public struct UserPoolID: Sendable, Hashable, CustomStringConvertible {
  /// The whole id, for instance `eu-west-1_Example01`.
  public let description: String
  /// The region.
  public let region: AWSRegion
  /// The part after the underscore. It is part of the user's identity in SRP.
  public let name: String

  /// Reads an id.
  ///
  /// - Parameter id: the id, at most 55 bytes.
  /// - Throws: `AWSNameError` with the rule that the id breaks.
  public init(_ id: String) throws(AWSNameError) {
    let kind = "user pool id"
    guard id.utf8.count <= 55 else {
      throw AWSNameError(kind: kind, value: id, rule: "it has more than 55 characters")
    }
    let parts = id.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy(\.isLetterOrDigit),
      let region = try? AWSRegion(String(decoding: parts[0], as: UTF8.self))
    else {
      throw AWSNameError(
        kind: kind, value: id, rule: "it is not a region, an underscore, and letters and digits")
    }
    description = id
    name = String(decoding: parts[1], as: UTF8.self)
    self.region = region
  }
}
