internal import CTokenSecurityOpenSSL

/// A public key that passed all checks: an RSA key of an accepted size, or a point on its curve.
package struct PublicKey: Sendable {
  /// The numbers of a public key, big-endian.
  package enum Components: Sendable, Hashable {
    /// Modulus and public exponent, without leading zeros.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// The coordinates, each of the curve's full length.
    case ellipticCurve(EllipticCurve, x: [UInt8], y: [UInt8])
    /// The encoded point of RFC 8032.
    case edwards(EdwardsCurve, [UInt8])
  }

  package let components: Components
  let handle: KeyHandle

  /// The minimum of bits of an RSA modulus (RFC 7518 section 3.3).
  package static let smallestModulusBits = 2048
  /// The maximum of bits of an RSA modulus, because verification takes time that grows with it.
  package static let largestModulusBits = 8192
  /// The maximum of bits of an RSA exponent, for the same reason.
  package static let largestExponentBits = 33

  /// Checks `components` and makes a key from them.
  package init(_ components: Components) throws(CryptoError) {
    self.components = components
    switch components {
    case .rsa(let modulus, let exponent):
      try Self.check(modulus: modulus, exponent: exponent)
      var parameters = KeyParameters()
      parameters.add("n", number: modulus)
      parameters.add("e", number: exponent)
      guard let key = parameters.makeKey(type: "RSA", selection: KeySelection.publicKey) else {
        throw .malformedKey
      }
      handle = key
    case .ellipticCurve(let curve, let x, let y):
      for coordinate in [x, y] where coordinate.count != curve.coordinateSize {
        throw .wrongLength(expected: curve.coordinateSize, actual: coordinate.count)
      }
      var parameters = KeyParameters()
      parameters.add("group", text: curve.groupName)
      parameters.add("pub", octets: [0x04] + x + y)
      // libcrypto refuses points that are not on the curve; all curves here have cofactor 1.
      guard let key = parameters.makeKey(type: "EC", selection: KeySelection.publicKey) else {
        throw .invalidPoint
      }
      handle = key
    case .edwards(let curve, let bytes):
      guard bytes.count == curve.keySize else {
        throw .wrongLength(expected: curve.keySize, actual: bytes.count)
      }
      guard curve.isAcceptable(bytes) else { throw .invalidPoint }
      let key = unsafe bytes.withUnsafeBufferPointer {
        unsafe EVP_PKEY_new_raw_public_key_ex(nil, curve.name, nil, $0.baseAddress, $0.count)
      }
      guard let key = unsafe key else {
        ERR_clear_error()
        throw .malformedKey
      }
      handle = unsafe KeyHandle(owning: key)
    }
  }

  /// Makes a key from the parts of one that libcrypto parsed, so that keys do not depend on their source's
  /// form.
  init(parsed: KeyHandle) throws(CryptoError) {
    if parsed.isType("RSA") {
      guard let modulus = parsed.number("n"), let exponent = parsed.number("e") else {
        throw .malformedKey
      }
      try self.init(.rsa(modulus: modulus, exponent: exponent))
    } else if parsed.isType("EC") {
      try self.init(Self.ellipticCurveComponents(of: parsed))
    } else if parsed.isType("ED25519") {
      try self.init(.edwards(.ed25519, Self.rawPublicKey(of: parsed, .ed25519)))
    } else if parsed.isType("ED448") {
      try self.init(.edwards(.ed448, Self.rawPublicKey(of: parsed, .ed448)))
    } else {
      let name = unsafe EVP_PKEY_get0_type_name(parsed.pointer)
      throw .unsupportedKeyType(unsafe name.map { unsafe String(cString: $0) } ?? "unknown")
    }
  }

  private static func ellipticCurveComponents(of key: KeyHandle) throws(CryptoError) -> Components {
    var explicit: Int32 = 0
    unsafe EVP_PKEY_get_int_param(key.pointer, "decoded-from-explicit", &explicit)
    guard explicit == 0 else { throw .explicitCurve }
    guard let name = key.groupName, let curve = EllipticCurve(groupName: name) else {
      throw .unsupportedCurve(key.groupName ?? "unnamed")
    }
    guard let x = key.number("qx"), let y = key.number("qy") else { throw .malformedKey }
    let size = curve.coordinateSize
    return .ellipticCurve(curve, x: x.leftPadded(to: size), y: y.leftPadded(to: size))
  }

  private static func rawPublicKey(
    of key: KeyHandle, _ curve: EdwardsCurve
  ) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: curve.keySize)
    var length = bytes.count
    let done = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe EVP_PKEY_get_raw_public_key(key.pointer, $0.baseAddress, &length)
    }
    guard done == 1, length == bytes.count else { throw .malformedKey }
    return bytes
  }

  private static func check(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
    guard let last = modulus.last, modulus.first != 0, exponent.first != 0 else {
      throw .malformedKey
    }
    let bits = modulus.bitCount
    guard bits >= smallestModulusBits else { throw .rsaModulusTooSmall(bits: bits) }
    guard bits <= largestModulusBits else { throw .rsaModulusTooLarge(bits: bits) }
    guard last & 1 == 1 else { throw .rsaModulusEven }
    guard let lowest = exponent.last, lowest & 1 == 1, exponent != [1],
      exponent.bitCount <= largestExponentBits
    else { throw .rsaExponent }
    guard try !ROCAFingerprint.matches(modulus) else { throw .rsaModulusROCA }
  }

  /// The size in bits: of the modulus, or of the curve's field.
  package var bits: Int {
    switch components {
    case .rsa(let modulus, _): modulus.bitCount
    case .ellipticCurve(.p521, _, _): 521
    case .ellipticCurve(let curve, _, _): curve.coordinateSize * 8
    case .edwards(.ed25519, _): 255
    case .edwards(.ed448, _): 448
    }
  }

  /// The key as a DER SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
  package func subjectPublicKeyInfo() throws(CryptoError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>? = nil
    let length = unsafe i2d_PUBKEY(handle.pointer, &output)
    defer { unsafe CRYPTO_free(output, #file, #line) }
    guard length > 0, let output = unsafe output else { throw .library("i2d_PUBKEY") }
    return unsafe Array(UnsafeBufferPointer(start: output, count: Int(length)))
  }
}

extension [UInt8] {
  /// The number of bits of a big-endian number without leading zero bytes.
  package var bitCount: Int {
    guard let first else { return 0 }
    return count * 8 - first.leadingZeroBitCount
  }

  /// The same number in `size` bytes.
  package func leftPadded(to size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: Swift.max(0, size - count)) + self
  }
}
