internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The input of a signature: algorithm, date, scope, and the hash of the canonical request.
enum StringToSign {
  static func make(
    _ algorithm: SigningAlgorithm, date: [UInt8], scope: [UInt8], requestHash: InlineArray<32, UInt8>
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.append(addingCapacity: algorithm.name.utf8.count + date.count + scope.count + 67) { output in
      append(beginning: algorithm, "", date.span, scope.span, to: &output)
      output.append(hex: requestHash.span)
    }
    return text
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
    let (date, scope) = (date.amzBytes, scope.bytes)
    var text: [UInt8] = []
    text.reserveCapacity(384)
    text.append(
      addingCapacity: algorithm.name.utf8.count + suffix.utf8CodeUnitCount + date.count + scope.count + 3
    ) {
      append(beginning: algorithm, suffix, date.span, scope.span, to: &$0)
    }
    text.append(previous)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// The three lines that all of them begin with: algorithm, date, scope.
  @inline(__always)
  private static func append(
    beginning algorithm: SigningAlgorithm, _ suffix: StaticString, _ date: borrowing Span<UInt8>,
    _ scope: borrowing Span<UInt8>, to output: inout OutputSpan<UInt8>
  ) {
    output.append(algorithm.name)
    output.append(suffix)
    output.append(UInt8(ascii: "\n"))
    output.append(copying: date)
    output.append(UInt8(ascii: "\n"))
    output.append(copying: scope)
    output.append(UInt8(ascii: "\n"))
  }

  /// The SHA-256 of no bytes.
  static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}
