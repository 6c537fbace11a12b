internal import TokenSecurityBase

/// The scope of a signing key: a day, a region and a service.
///
/// As text `20150830/us-east-1/iam/aws4_request`; without the region for SigV4A, whose regions are in
/// `X-Amz-Region-Set`.
public struct CredentialScope: Sendable, Hashable {
  /// The day, `20150830`, in UTC.
  public let day: String
  /// The region; nil for SigV4A.
  public let region: String?
  /// The service, `s3` for example.
  public let service: String

  /// The last part of every scope.
  static let termination = "aws4_request"

  /// The scope of a request made at `date`.
  ///
  /// - Throws: `scopePart` when region or service is not 1 to 64 letters, digits, `-`, `_`, `.` and `:`.
  public init(date: Timestamp, region: String?, service: String) throws(SigV4Error) {
    try self.init(day: String(decoding: date.amzDay, as: UTF8.self), region: region, service: service)
  }

  init(day: String, region: String?, service: String) throws(SigV4Error) {
    if let region { try Self.check(region, "region") }
    try Self.check(service, "service")
    self.init(checkedDay: day, region: region, service: service)
  }

  init(checkedDay day: String, region: String?, service: String) {
    self.day = day
    self.region = region
    self.service = service
  }

  /// Checks a region or a service. A slash would move the boundaries between the parts, and change the scope.
  package static func check(_ text: String, _ part: String) throws(SigV4Error) {
    guard isPart(text.utf8.span) else { throw .scopePart(part, text) }
  }

  static func isPart(_ bytes: borrowing Span<UInt8>) -> Bool {
    guard (1...64).contains(bytes.count) else { return false }
    if ASCIIWords.areNameCharacters(bytes, capitals: true) { return true }
    // One bit for each of the 128 characters: letters, digits, and - . _ :
    let allowed = (low: 0x07FF_6000_0000_0000 as UInt64, high: 0x07FF_FFFE_87FF_FFFE as UInt64)
    for index in bytes.indices where !ByteOrder.has(bytes[index], allowed) { return false }
    return true
  }

  /// The scope as text.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    append(to: &bytes)
    return bytes
  }

  func append(to output: inout [UInt8]) {
    output.append(day)
    output.append(UInt8(ascii: "/"))
    if let region {
      output.append(region)
      output.append(UInt8(ascii: "/"))
    }
    output.append(service)
    output.append("/aws4_request" as StaticString)
  }
}

extension CredentialScope: CustomStringConvertible {
  /// The scope as text.
  public var description: String {
    ([day] + [region, service].compactMap { $0 } + [Self.termination]).joined(separator: "/")
  }
}
