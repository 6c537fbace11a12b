/// A region of AWS, and the partition that it belongs to.
public struct AWSRegion: Sendable, Hashable, CustomStringConvertible {
  /// The region's name, for instance `eu-west-1`.
  public let description: String
  /// The region's partition.
  public let partition: Partition

  /// The separate parts of AWS. Accounts, roles and host names of one are unknown to the others.
  public enum Partition: String, Sendable, Hashable, CaseIterable {
    /// All regions outside of China and GovCloud.
    case commercial = "aws"
    /// China.
    case china = "aws-cn"
    /// AWS GovCloud (US).
    case govCloud = "aws-us-gov"

    /// The domain of the partition's host names.
    package var domain: String { self == .china ? "amazonaws.com.cn" : "amazonaws.com" }
  }

  /// The host name of a service in the region.
  ///
  /// - Parameter service: the first part of the service's host names, for instance `sts`.
  /// - Returns: the host name.
  package func host(of service: String) -> String { "\(service).\(description).\(partition.domain)" }

  /// Reads the name of a region: words of two or more small letters and a number, separated by hyphens.
  ///
  /// Regions of the isolated partitions (`us-iso-…`, `eusc-…`) are refused: this package does not know their
  /// host names.
  ///
  /// - Parameter name: the name, at most 32 bytes.
  /// - Throws: `AWSNameError` with the rule that the name breaks.
  public init(_ name: String) throws(AWSNameError) {
    let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard name.utf8.count <= 32, words.count >= 3, let number = words.last, (1...2).contains(number.count),
      number.allSatisfy({ (0x30...0x39).contains($0) }),
      words.dropLast().allSatisfy({ $0.count >= 2 && $0.allSatisfy { (0x61...0x7A).contains($0) } })
    else { throw AWSNameError(kind: "region", value: name, rule: "it is not written like eu-west-1") }
    guard !words[1].starts(with: "iso".utf8), !words[0].elementsEqual("eusc".utf8) else {
      throw AWSNameError(kind: "region", value: name, rule: "the host names of its partition are not known")
    }
    description = name
    partition =
      words[0].elementsEqual("cn".utf8)
      ? .china
      : words[0].elementsEqual("us".utf8) && words[1].elementsEqual("gov".utf8) ? .govCloud : .commercial
  }
}
