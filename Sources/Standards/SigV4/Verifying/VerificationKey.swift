internal import TokenSecurityCrypto

/// The key that verifies a request.
public enum VerificationKey: Sendable {
  /// The secret of the access key. A signing key is derived from it, and cached.
  case credentials(Credentials)
  /// A key of the request's day, region and service.
  case scoped(ScopedSigningKey)
  /// A public key, for SigV4A. It cannot sign.
  case publicKey(ECDSAPublicKey)
}

/// A key that checks the signatures of one request.
enum CheckingKey: Sendable {
  case hmac(ScopedSigningKey)
  case ecdsa(ECDSAPublicKey)

  var algorithm: SigningAlgorithm {
    switch self {
    case .hmac: .hmacSHA256
    case .ecdsa: .ecdsaP256SHA256
    }
  }

  /// Whether `signature` is a signature of `text`; compared in constant time for HMAC.
  func check(_ signature: [UInt8], over text: borrowing Span<UInt8>) throws(SigV4Error) -> Bool {
    switch self {
    case .hmac(let key): signature.count == 32 ? try key.check(signature.span, over: text) : false
    case .ecdsa(let key): try key.check(signature, over: text)
    }
  }

  /// Whether `signature` is a signature of `text`; compared in constant time for HMAC.
  func check(_ signature: SignatureBytes, over text: borrowing Span<UInt8>) throws(SigV4Error) -> Bool {
    switch (self, signature) {
    case (.hmac(let key), .hmac(let code)): try key.check(code.span, over: text)
    case (.ecdsa(let key), .der(let signature)): try key.check(signature, over: text)
    case (.hmac, .der), (.ecdsa, .hmac): false
    }
  }
}
