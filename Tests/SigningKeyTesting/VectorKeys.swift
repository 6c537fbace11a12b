public import JOSE
internal import Synchronization
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// The RSA keys of `Vectors/keys/rsa-signing.pem`, for tests of other things than the generation of keys, which takes a
/// fifth of a second for an RSA key.
public enum VectorKeys {
  /// The number of keys.
  public static let count = 48

  /// The texts of the keys. Each is parsed once, when it is first used.
  private static let texts = Result { () throws -> [ArraySlice<UInt8>] in
    let text = try VectorFile.bytes("\(VectorFile.root)/Vectors/keys/rsa-signing.pem")
    let ends = Array("-----END PRIVATE KEY-----\n".utf8)
    var texts: [ArraySlice<UInt8>] = []
    var rest = text[...]
    while let end = rest.firstRange(of: ends)?.upperBound {
      texts.append(rest[..<end])
      rest = rest[end...]
    }
    guard texts.count == count else { throw VectorFileError("rsa-signing.pem has \(texts.count) keys") }
    return texts
  }

  private static let parsed = Mutex<[Int: JWK]>([:])

  /// Returns an RSA key.
  ///
  /// - Parameters:
  ///   - number: its number; after the last key the first follows.
  ///   - algorithm: its `alg`.
  ///   - keyID: its `kid`. Default: the thumbprint.
  /// - Returns: the key.
  /// - Throws: an error for a file that cannot be read.
  public static func rsa(
    _ number: Int = 0, for algorithm: Algorithm = .rs256, keyID: String? = nil
  ) throws -> JWK {
    let key = try parsed.withLock { parsed in
      if let key = parsed[number % count] { return key }
      let key = try KeyFile.pem(SecretBytes(Array(texts.get()[number % count]).span))
      parsed[number % count] = key
      return key
    }
    return JWK(
      material: key.material, keyID: try keyID ?? key.thumbprint(), use: "sig",
      algorithmName: algorithm.name)
  }

  /// Returns a key for an algorithm: an RSA key of the file, or a new key, which is made quickly.
  ///
  /// - Parameters:
  ///   - number: the number of an RSA key.
  ///   - algorithm: the algorithm.
  ///   - keyID: the `kid`. Default: as `JWK.generate` makes it.
  /// - Returns: the key.
  /// - Throws: as `rsa`, and as `JWK.generate`.
  public static func key(
    _ number: Int = 0, for algorithm: Algorithm, keyID: String? = nil
  ) throws -> JWK {
    switch algorithm {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: try rsa(number, for: algorithm, keyID: keyID)
    default: try JWK.generate(algorithm, keyID: keyID)
    }
  }
}
