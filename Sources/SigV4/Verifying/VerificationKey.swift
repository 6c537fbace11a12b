internal import TokenSecurityCrypto

/// What a request is verified with.
public enum VerificationKey: Sendable {
  /// The secret that belongs to the access key: a signing key is derived from it, and kept.
  case credentials(Credentials)
  /// A key of the request's day, region and service.
  case scoped(ScopedSigningKey)
  /// A public key, for SigV4A: whoever has it cannot sign.
  case publicKey(ECDSAPublicKey)
}

/// A key that is ready to check signatures of one request.
enum CheckingKey: Sendable {
  case hmac(ScopedSigningKey)
  case ecdsa(ECDSAPublicKey)

  var algorithm: SigningAlgorithm {
    switch self {
    case .hmac: .hmacSHA256
    case .ecdsa: .ecdsaP256SHA256
    }
  }

  /// True where `signature` was made over `text`; compared in constant time for HMAC.
  func check(_ signature: [UInt8], over text: borrowing Span<UInt8>) throws(SigV4Error) -> Bool {
    switch self {
    case .hmac(let key): signature.count == 32 ? try key.check(signature.span, over: text) : false
    case .ecdsa(let key): try key.check(signature, over: text)
    }
  }
}
