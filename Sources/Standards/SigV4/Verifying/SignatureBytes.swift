internal import TokenSecurityBase

/// The bytes of a signature, which requests have in lower-case hex, so that a signature has one form.
enum SignatureBytes: Sendable {
  /// The code of HMAC, without an allocation.
  case hmac(InlineArray<32, UInt8>)
  /// The DER of an ECDSA signature.
  case der([UInt8])

  /// - Throws: `signatureMalformed`.
  init(
    hex text: [UInt8], in range: Range<Int>? = nil, _ algorithm: SigningAlgorithm
  ) throws(SigV4Error) {
    let range = range ?? text.indices
    let digits = text.span.extracting(range)
    switch algorithm {
    case .hmacSHA256:
      guard let code = Hex.lowerCaseDigest(digits) else { throw .signatureMalformed(length: range.count) }
      self = .hmac(code)
    case .ecdsaP256SHA256:
      guard (16...144).contains(range.count), let signature = Hex.lowerCaseBytes(digits) else {
        throw .signatureMalformed(length: range.count)
      }
      self = .der(signature)
    }
  }

  var array: [UInt8] {
    switch self {
    case .hmac(let code):
      var bytes: [UInt8] = []
      bytes.append(copying: code.span)
      return bytes
    case .der(let signature): return signature
    }
  }
}
