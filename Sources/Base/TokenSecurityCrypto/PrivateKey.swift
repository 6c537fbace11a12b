internal import CTokenSecurityOpenSSL

/// A private key with its public key. libcrypto stores and wipes the secret.
package struct PrivateKey: Sendable {
  package let publicKey: PublicKey
  let handle: KeyHandle

  /// An RSA key from its numbers.
  package init(
    modulus: [UInt8], exponent: [UInt8], _ numbers: borrowing RSANumbers
  ) throws(CryptoError) {
    publicKey = try PublicKey(.rsa(modulus: modulus, exponent: exponent))
    try numbers.checkLengths(modulusBits: modulus.bitCount)
    var parameters = KeyParameters()
    parameters.add("n", number: modulus)
    parameters.add("e", number: exponent)
    parameters.add("d", secret: numbers.privateExponent)
    if let factors = numbers.factors {
      parameters.add("rsa-factor1", secret: factors.p)
      parameters.add("rsa-factor2", secret: factors.q)
      parameters.add("rsa-exponent1", secret: factors.dp)
      parameters.add("rsa-exponent2", secret: factors.dq)
      parameters.add("rsa-coefficient1", secret: factors.qInverse)
    }
    guard let key = parameters.makeKey(type: "RSA", selection: KeySelection.keyPair) else {
      throw .malformedKey
    }
    handle = key
    try checkPair()
  }

  /// A key on a Weierstrass curve from its point and secret number.
  package init(
    curve: EllipticCurve, x: [UInt8], y: [UInt8], secret: borrowing SecretBytes
  ) throws(CryptoError) {
    publicKey = try PublicKey(.ellipticCurve(curve, x: x, y: y))
    guard secret.count == curve.coordinateSize else {
      throw .wrongLength(expected: curve.coordinateSize, actual: secret.count)
    }
    var parameters = KeyParameters()
    parameters.add("group", text: curve.groupName)
    parameters.add("pub", octets: [0x04] + x + y)
    parameters.add("priv", secret: secret)
    guard let key = parameters.makeKey(type: "EC", selection: KeySelection.keyPair) else {
      throw .malformedKey
    }
    handle = key
    try checkPair()
  }

  /// A key on an Edwards curve from its secret bytes.
  package init(curve: EdwardsCurve, secret: borrowing SecretBytes) throws(CryptoError) {
    guard secret.count == curve.keySize else {
      throw .wrongLength(expected: curve.keySize, actual: secret.count)
    }
    let key = unsafe secret.withBytes { span in
      unsafe span.withUnsafeBufferPointer {
        unsafe EVP_PKEY_new_raw_private_key_ex(nil, curve.name, nil, $0.baseAddress, $0.count)
      }
    }
    guard let key = unsafe key else { throw .malformedKey }
    handle = unsafe KeyHandle(owning: key)
    publicKey = try PublicKey(parsed: handle)
  }

  /// Checks a private key that libcrypto parsed.
  init(parsed: KeyHandle) throws(CryptoError) {
    publicKey = try PublicKey(parsed: parsed)
    handle = parsed
    if case .rsa(let modulus, _) = publicKey.components {
      try rsaNumbers().checkLengths(modulusBits: modulus.bitCount)
    }
    try checkPair()
  }

  /// Generates a key.
  package init(generating kind: Kind) throws(CryptoError) {
    let context = unsafe EVP_PKEY_CTX_new_from_name(nil, kind.typeName, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var isReady = unsafe EVP_PKEY_keygen_init(context) == 1
    switch kind {
    case .rsa(let bits):
      guard bits >= PublicKey.smallestModulusBits else { throw .rsaModulusTooSmall(bits: bits) }
      guard bits <= PublicKey.largestModulusBits else { throw .rsaModulusTooLarge(bits: bits) }
      isReady = unsafe isReady && EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1
    case .ellipticCurve(let curve):
      isReady = unsafe isReady && EVP_PKEY_CTX_set_group_name(context, curve.groupName) == 1
    case .edwards: break
    }
    var key: OpaquePointer? = nil
    guard isReady, unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key else {
      ERR_clear_error()
      throw .library("EVP_PKEY_generate")
    }
    handle = unsafe KeyHandle(owning: key)
    publicKey = try PublicKey(parsed: handle)
  }

  /// The type of a generated key.
  package enum Kind: Sendable, Hashable {
    /// RSA with a modulus of this number of bits.
    case rsa(bits: Int)
    case ellipticCurve(EllipticCurve)
    case edwards(EdwardsCurve)

    var typeName: String {
      switch self {
      case .rsa: "RSA"
      case .ellipticCurve: "EC"
      case .edwards(let curve): curve.name
      }
    }
  }

  /// The secret number or bytes of an elliptic curve or Edwards key, in full length.
  package func secret() throws(CryptoError) -> SecretBytes {
    switch publicKey.components {
    case .rsa: throw .unsupportedKeyType("RSA")
    case .ellipticCurve(let curve, _, _):
      guard let secret = handle.secretNumber("priv", size: curve.coordinateSize) else {
        throw .malformedKey
      }
      return secret
    case .edwards(let curve, _):
      return try SecretBytes(count: curve.keySize) { span throws(CryptoError) in
        var length = span.count
        let done = unsafe span.withUnsafeMutableBufferPointer {
          unsafe EVP_PKEY_get_raw_private_key(handle.pointer, $0.baseAddress, &length)
        }
        guard done == 1 else { throw .library("EVP_PKEY_get_raw_private_key") }
      }
    }
  }

  /// The secret numbers of an RSA key.
  package func rsaNumbers() throws(CryptoError) -> RSANumbers {
    guard let d = handle.secretNumber("d") else { throw .unsupportedKeyType("not RSA") }
    guard let p = handle.secretNumber("rsa-factor1"), let q = handle.secretNumber("rsa-factor2"),
      let dp = handle.secretNumber("rsa-exponent1"), let dq = handle.secretNumber("rsa-exponent2"),
      let qInverse = handle.secretNumber("rsa-coefficient1")
    else { return RSANumbers(privateExponent: d, factors: nil) }
    return RSANumbers(
      privateExponent: d,
      factors: .init(p: p, q: q, dp: dp, dq: dq, qInverse: qInverse))
  }

  /// The key as an unencrypted PKCS#8 PrivateKeyInfo in DER (RFC 5208 section 5).
  package func privateKeyInfo() throws(CryptoError) -> SecretBytes {
    let info = unsafe EVP_PKEY2PKCS8(handle.pointer)
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    var output: UnsafeMutablePointer<UInt8>? = nil
    let length = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, &output)
    guard length > 0, let output = unsafe output else {
      throw .library("i2d_PKCS8_PRIV_KEY_INFO")
    }
    defer { unsafe CRYPTO_clear_free(output, Int(length), #file, #line) }
    return SecretBytes(count: Int(length)) { span in
      for index in span.indices { span[index] = unsafe output[index] }
    }
  }

  // A signature that the public key verifies proves the pair. It costs far less than libcrypto's check of an
  // RSA key, which tests the factors for primality.
  private func checkPair() throws(CryptoError) {
    try checkNumber()
    let scheme: SignatureScheme =
      switch publicKey.components {
      case .rsa: .rsaPKCS1(.sha256)
      case .ellipticCurve(let curve, _, _): .ecdsa(curve, .sha256)
      case .edwards(let curve, _): .eddsa(curve)
      }
    let probe: [UInt8] = Array("key pair".utf8)
    let signature: [UInt8]
    do {
      signature = try SignatureMaker(key: self, scheme: scheme).sign(probe.span)
    } catch {
      throw .keyPairMismatch
    }
    guard try SignatureChecker(key: publicKey, scheme: scheme).check(signature.span, over: probe.span)
    else { throw .keyPairMismatch }
  }

  /// SEC 1 version 2.0, section 3.2.1: the number of a key on a Weierstrass curve is less than the order. libcrypto also
  /// computes with larger ones, which stand for the same key in another text.
  private func checkNumber() throws(CryptoError) {
    guard case .ellipticCurve(let curve, _, _) = publicKey.components else { return }
    let order = curve.order
    let isLess = try secret().withBytes { number in
      number.count == order.count && ConstantTime.isLess(number, than: order)
    }
    guard isLess else { throw .keyPairMismatch }
  }
}
