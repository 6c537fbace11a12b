internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The input of a signature: algorithm, date, scope, and the hash of the canonical request.
enum StringToSign {
  static func make(
    _ algorithm: SigningAlgorithm, date: [UInt8], scope: [UInt8], requestHash: InlineArray<32, UInt8>
  ) -> [UInt8] {
    var output = beginning(algorithm, "", date, scope)
    output.append(hex: requestHash.span)
    return output
  }

  /// The text for one chunk of a body: `…-PAYLOAD`, the previous signature, the hashes of nothing and of the
  /// chunk.
  static func chunk(
    _ algorithm: SigningAlgorithm, date: Timestamp, scope: CredentialScope, previous: String,
    dataHash: [UInt8]
  ) -> [UInt8] {
    var output = chain(algorithm, "-PAYLOAD", date, scope, previous)
    output.append(emptyHash)
    output.append(UInt8(ascii: "\n"))
    output.append(hex: dataHash.span)
    return output
  }

  /// The text for the trailers of a body: `…-TRAILER`, the previous signature, the hash of the trailers.
  static func trailer(
    _ algorithm: SigningAlgorithm, date: Timestamp, scope: CredentialScope, previous: String,
    trailerHash: [UInt8]
  ) -> [UInt8] {
    var output = chain(algorithm, "-TRAILER", date, scope, previous)
    output.append(hex: trailerHash.span)
    return output
  }

  /// The text for one event: `…-PAYLOAD`, the previous signature, the hashes of the headers and of the
  /// payload.
  static func event(
    _ algorithm: SigningAlgorithm, date: Timestamp, scope: CredentialScope, previous: String,
    headerHash: [UInt8], payloadHash: [UInt8]
  ) -> [UInt8] {
    var output = chain(algorithm, "-PAYLOAD", date, scope, previous)
    output.append(hex: headerHash.span)
    output.append(UInt8(ascii: "\n"))
    output.append(hex: payloadHash.span)
    return output
  }

  private static func chain(
    _ algorithm: SigningAlgorithm, _ suffix: StaticString, _ date: Timestamp, _ scope: CredentialScope,
    _ previous: String
  ) -> [UInt8] {
    var output = beginning(algorithm, suffix, date.amzBytes, scope.bytes)
    output.append(previous)
    output.append(UInt8(ascii: "\n"))
    return output
  }

  /// The three lines that all of them begin with: algorithm, date, scope.
  private static func beginning(
    _ algorithm: SigningAlgorithm, _ suffix: StaticString, _ date: [UInt8], _ scope: [UInt8]
  ) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(384)
    output.append(algorithm.name)
    output.append(suffix)
    output.append(UInt8(ascii: "\n"))
    output.append(copying: date.span)
    output.append(UInt8(ascii: "\n"))
    output.append(copying: scope.span)
    output.append(UInt8(ascii: "\n"))
    return output
  }

  /// The SHA-256 of no bytes.
  static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}
