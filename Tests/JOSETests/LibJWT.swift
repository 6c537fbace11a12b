internal import CTokenSecurityLibJWT
internal import Glibc
internal import JOSE

/// Verification and issuing of tokens by libjwt, for comparison.
enum LibJWT {
  /// The algorithms of libjwt 1.10.
  static func knows(_ algorithm: Algorithm) -> Bool { name(algorithm) != nil }

  private static func name(_ algorithm: Algorithm) -> jwt_alg_t? {
    switch algorithm {
    case .hs256: JWT_ALG_HS256
    case .hs384: JWT_ALG_HS384
    case .hs512: JWT_ALG_HS512
    case .rs256: JWT_ALG_RS256
    case .rs384: JWT_ALG_RS384
    case .rs512: JWT_ALG_RS512
    case .es256: JWT_ALG_ES256
    case .es384: JWT_ALG_ES384
    case .es512: JWT_ALG_ES512
    default: nil
    }
  }

  /// A key for libjwt: PEM, or the secret.
  private static func material(_ key: JWK, isPrivate: Bool) throws -> [UInt8] {
    if key.kind == .symmetric {
      let object = try key.privateJWK().withBytes { span in try JSONValue(parsing: bytes(span)) }
      return try Base64URL.decode(object.object?["k"]?.string ?? "")
    }
    return isPrivate
      ? try key.privatePEM().withBytes(bytes) : Array(try key.publicPEM().utf8)
  }

  private static func bytes(_ span: borrowing Span<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    for index in span.indices { copy.append(span[index]) }
    return copy
  }

  /// True if libjwt accepts the signature and the algorithm is as expected.
  static func accepts(_ token: String, algorithm: Algorithm, key: JWK) throws -> Bool {
    let material = try material(key, isPrivate: false)
    var jwt: OpaquePointer? = nil
    let status = unsafe material.withUnsafeBufferPointer {
      unsafe jwt_decode(&jwt, token, $0.baseAddress, Int32($0.count))
    }
    defer { unsafe jwt_free(jwt) }
    guard status == 0 else { return false }
    return unsafe jwt_get_alg(jwt) == name(algorithm)
  }

  /// A token made by libjwt from a JSON text of claims.
  static func sign(_ claims: String, algorithm: Algorithm, key: JWK) throws -> String? {
    let material = try material(key, isPrivate: true)
    var jwt: OpaquePointer? = nil
    guard unsafe jwt_new(&jwt) == 0 else { return nil }
    defer { unsafe jwt_free(jwt) }
    guard let name = name(algorithm), unsafe jwt_add_grants_json(jwt, claims) == 0 else { return nil }
    let status = unsafe material.withUnsafeBufferPointer {
      unsafe jwt_set_alg(jwt, name, $0.baseAddress, Int32($0.count))
    }
    guard status == 0, let text = unsafe jwt_encode_str(jwt) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
