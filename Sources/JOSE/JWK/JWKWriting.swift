public import TokenSecurityCrypto
public import TokenSecurityEncodings

extension JWK {
  /// The public half as a JWK's JSON, with `kid`, `use`, `key_ops` and `alg` where the key has them; nil
  /// for a shared secret, which has no public half.
  public var publicJWK: JSONObject? {
    guard let components = publicKey?.components else { return nil }
    var object = Self.required(components)
    describe(&object)
    return object
  }

  /// The key with its secret as a JWK's JSON text. Throws `keyNotPrivate` where it has none.
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
    describe(&object)
    var bytes = JSONWriter.write(object)
    return SecretBytes(wiping: &bytes)
  }

  /// The public half as PEM, a SubjectPublicKeyInfo. Throws `keyTypeUnknown` for a shared secret.
  public func publicPEM() throws(JOSEError) -> String {
    guard let publicKey else { throw .keyTypeUnknown("oct") }
    do {
      return Self.pem("PUBLIC KEY", Base64.string(try publicKey.subjectPublicKeyInfo()))
    } catch {
      throw JOSEError(error)
    }
  }

  /// The private key as PEM, an unencrypted PKCS#8 PrivateKeyInfo. Throws `keyNotPrivate` where there is
  /// none.
  public func privatePEM() throws(JOSEError) -> SecretBytes {
    guard case .privateKey(let key) = material else { throw .keyNotPrivate }
    do {
      let der = try key.privateKeyInfo()
      let body = der.withBytes { span in Base64.string([UInt8](unwipedCopy: span)) }
      var text = Array(Self.pem("PRIVATE KEY", body).utf8)
      return SecretBytes(wiping: &text)
    } catch {
      throw JOSEError(error)
    }
  }

  /// The thumbprint of RFC 7638: base64url of the SHA-256 digest over the members that make up the key,
  /// sorted by name, without white space.
  ///
  /// That of a shared secret gives away a digest of it (RFC 7638 section 7).
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
    do {
      return Base64URL.string(try DigestAlgorithm.sha256.hash(JSONWriter.write(sorted).span))
    } catch {
      throw JOSEError(error)
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

  private func describe(_ object: inout JSONObject) {
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
