internal import TokenSecurityEncodings
internal import JOSE

/// A region of AWS, and what follows from it.
public struct AWSRegion: Sendable, Hashable, CustomStringConvertible {
  /// The region's name, `eu-west-1` for instance.
  public let description: String
  /// The partition that it lies in.
  public let partition: Partition

  /// The parts of AWS that have nothing to do with one another.
  public enum Partition: String, Sendable, Hashable, CaseIterable {
    /// Everywhere else.
    case commercial = "aws"
    /// China.
    case china = "aws-cn"
    /// The United States' GovCloud.
    case govCloud = "aws-us-gov"

    /// What host names end with.
    var suffix: String { self == .china ? "amazonaws.com.cn" : "amazonaws.com" }
  }

  /// The region called `name`: two or more letters, words, a number, with hyphens between. The partitions that are
  /// cut off from the rest (`us-iso` and its like) are refused: their addresses are not known here.
  public init(_ name: String) throws(OpenIDError) {
    func refuse(_ rule: String) -> OpenIDError {
      .identifierInvalid(kind: "region", value: name, rule: rule)
    }
    let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard name.utf8.count <= 32, words.count >= 3,
      words.dropLast().allSatisfy({ word in
        word.count >= 2 && word.allSatisfy { (0x61...0x7A).contains($0) }
      }),
      let number = words.last, (1...2).contains(number.count),
      number.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw refuse("it is not written like eu-west-1") }
    let (first, second) = (
      String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self)
    )
    guard !second.hasPrefix("iso"), first != "eusc" else {
      throw refuse("the addresses of its partition are not known here")
    }
    description = name
    partition = first == "cn" ? .china : first == "us" && second == "gov" ? .govCloud : .commercial
  }
}
