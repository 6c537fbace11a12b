public import TokenSecurityBase
public import TokenSecurityCrypto

extension JWK {
  /// The public key as a JWK, with `kid`, `use`, `key_ops` and `alg`; nil for a shared secret. `key_ops` has the
  /// operations of the public key: `verify` for `sign`.
  public var publicJWK: JSONObject? {
    guard let components = publicKey?.components else { return nil }
    var object = Self.required(components)
    describe(&object, publicOperations)
    return object
  }

  /// Writes the key with its secret as a JWK.
  ///
  /// - Returns: the JSON text.
  /// - Throws: `keyNotPrivate` for a public key.
  public func privateJWK() throws(JOSEError) -> SecretBytes {
    var object: JSONObject
    switch material {
    case .publicKey: throw .keyNotPrivate
    case .shared(let secret):
      object = JSONObject()
      object["kty"] = "oct"
      object["k"] = Self.text(secret.bytes)
    case .privateKey(let key):
      object = Self.required(key.publicKey.components)
      do {
        if case .rsa = key.publicKey.components {
          let numbers = try key.rsaNumbers()
          object["d"] = Self.text(numbers.privateExponent)
          if let factors = numbers.factors {
            object["p"] = Self.text(factors.p)
            object["q"] = Self.text(factors.q)
            object["dp"] = Self.text(factors.dp)
            object["dq"] = Self.text(factors.dq)
            object["qi"] = Self.text(factors.qInverse)
          }
        } else {
          object["d"] = Self.text(try key.secret())
        }
      } catch {
        throw JOSEError(error)
      }
    }
    describe(&object, operations)
    var bytes = JSONWriter.write(object)
    return SecretBytes(wiping: &bytes)
  }

  /// Writes the public key as PEM (SubjectPublicKeyInfo).
  ///
  /// - Returns: the text.
  /// - Throws: `keyTypeUnknown` for a shared secret.
  public func publicPEM() throws(JOSEError) -> String {
    guard let publicKey else { throw .keyTypeUnknown("oct") }
    return try JOSEError.converting { () throws(CryptoError) in
      Self.pem("PUBLIC KEY", Base64.string(try publicKey.subjectPublicKeyInfo()))
    }
  }

  /// Writes the private key as PEM (unencrypted PKCS#8 PrivateKeyInfo).
  ///
  /// - Returns: the text.
  /// - Throws: `keyNotPrivate` for a public key or shared secret.
  public func privatePEM() throws(JOSEError) -> SecretBytes {
    guard case .privateKey(let key) = material else { throw .keyNotPrivate }
    let der = try JOSEError.converting { () throws(CryptoError) in try key.privateKeyInfo() }
    let body = der.withBytes { span in Base64.string([UInt8](unwipedCopy: span)) }
    var text = Array(Self.pem("PRIVATE KEY", body).utf8)
    return SecretBytes(wiping: &text)
  }

  /// Computes the thumbprint of RFC 7638: base64url of SHA-256 over the required members.
  ///
  /// The thumbprint of a shared secret is a digest of the secret (RFC 7638 section 7).
  ///
  /// - Returns: the thumbprint.
  /// - Throws: `library` if libcrypto fails.
  public func thumbprint() throws(JOSEError) -> String {
    var object: JSONObject
    if let components = publicKey?.components {
      object = Self.required(components)
    } else {
      guard case .shared(let secret) = material else { throw .keyUnreadable }
      object = JSONObject()
      object["kty"] = "oct"
      object["k"] = Self.text(secret.bytes)
    }
    var sorted = JSONObject()
    for name in object.names.sorted() { sorted[name] = object[name] }
    let json = JSONWriter.write(sorted)
    return try JOSEError.converting { () throws(CryptoError) in
      Base64URL.string(try DigestAlgorithm.sha256.hash(json.span))
    }
  }

  private static func required(_ components: PublicKey.Components) -> JSONObject {
    var object = JSONObject()
    switch components {
    case .rsa(let modulus, let exponent):
      object["kty"] = "RSA"
      object["n"] = .string(Base64URL.string(modulus))
      object["e"] = .string(Base64URL.string(exponent))
    case .ellipticCurve(let curve, let x, let y):
      object["kty"] = "EC"
      object["crv"] = .string(curve.joseName)
      object["x"] = .string(Base64URL.string(x))
      object["y"] = .string(Base64URL.string(y))
    case .edwards(let curve, let point):
      object["kty"] = "OKP"
      object["crv"] = .string(curve.joseName)
      object["x"] = .string(Base64URL.string(point))
    }
    return object
  }

  private func describe(_ object: inout JSONObject, _ operations: [String]?) {
    object["kid"] = keyID.map(JSONValue.string)
    object["use"] = use.map(JSONValue.string)
    object["key_ops"] = operations.map { .array($0.map(JSONValue.string)) }
    object["alg"] = algorithmName.map(JSONValue.string)
  }

  private static func text(_ secret: borrowing SecretBytes) -> JSONValue {
    secret.withBytes { span in
      .string(String(decoding: Base64URL.encode(span), as: UTF8.self))
    }
  }

  private static func pem(_ label: String, _ body: String) -> String {
    var text = "-----BEGIN \(label)-----\n"
    var rest = Substring(body)
    while !rest.isEmpty {
      text += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END \(label)-----\n"
  }
}

extension JWKSet {
  /// The public keys as a JWK set in JSON, ready to publish. Shared secrets are left out.
  public var publicJSON: String {
    JSONValue.object(["keys": .array(keys.compactMap { $0.publicJWK.map(JSONValue.object) })]).description
  }
}
