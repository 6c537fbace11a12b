internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Signs payloads with one key and one algorithm (RFC 7515 section 5.1).
///
/// Safe to use from many threads at once. For tokens with claims and a lifetime see ``TokenSigner``.
public struct JWSSigner: Sendable {
  /// The algorithm.
  public let algorithm: Algorithm
  /// The `kid` that goes into headers, where the key has one.
  public let keyID: String?

  private let maker: Maker

  private enum Maker: Sendable {
    case signature(SignatureMaker)
    case code(MessageAuthenticator)
  }

  /// Prepares `key`.
  ///
  /// - Parameters:
  ///   - key: a private key or a shared secret.
  ///   - algorithm: the one to sign with; nil where the key's own `alg` names one.
  /// - Throws: `keyNotPrivate`, `keyUseMismatch`, `keyOperationMismatch`, `keyAlgorithmMismatch`,
  ///   `keyTypeMismatch`, `hmacKeyTooShort` where the key cannot be used for it, and `policyInvalid` where no
  ///   algorithm is named at all.
  public init(key: JWK, algorithm: Algorithm? = nil) throws(JOSEError) {
    guard let algorithm = algorithm ?? key.algorithmName.flatMap(Algorithm.init(name:)) else {
      throw .policyInvalid(rule: "the key names no algorithm, so that the caller must")
    }
    if let error = key.error(.sign, algorithm) { throw error }
    self.algorithm = algorithm
    keyID = key.keyID
    maker = try Self.maker(key, algorithm)
  }

  private static func maker(_ key: JWK, _ algorithm: Algorithm) throws(JOSEError) -> Maker {
    do throws(CryptoError) {
      switch key.material {
      case .publicKey: break
      case .shared(let secret):
        return .code(
          try MessageAuthenticator(key: secret.bytes, digest: algorithm.hmacDigest ?? .sha256))
      case .privateKey(let privateKey):
        if let scheme = algorithm.scheme(for: privateKey.publicKey.components) {
          return .signature(try SignatureMaker(key: privateKey, scheme: scheme))
        }
      }
    } catch {
      throw JOSEError(error)
    }
    throw .keyNotPrivate
  }

  /// A compact JWS over `payload` (RFC 7515 section 7.1).
  ///
  /// - Parameters:
  ///   - payload: any bytes.
  ///   - header: parameters besides `alg` and `kid`, which come from the signer and the key.
  public func sign(
    _ payload: [UInt8], header: JSONObject = JSONObject()
  ) throws(JOSEError) -> String {
    try sign(payload, encodedHeader: encodedHeader(header))
  }

  /// The same with a header that was encoded before.
  func sign(_ payload: [UInt8], encodedHeader: [UInt8]) throws(JOSEError) -> String {
    var token = encodedHeader
    token.append(UInt8(ascii: "."))
    token += Base64URL.encode(payload.span)
    let signature = try signature(over: token)
    token.append(UInt8(ascii: "."))
    token += Base64URL.encode(signature.span)
    return String(decoding: token, as: UTF8.self)
  }

  /// A compact JWS whose payload is left out (RFC 7515 appendix F), or signed as it is and left out
  /// (RFC 7797).
  ///
  /// - Parameters:
  ///   - payload: any bytes.
  ///   - header: parameters besides `alg` and `kid`.
  ///   - encoded: false to sign the payload without base64url; `b64` and `crit` are set.
  public func signDetached(
    _ payload: [UInt8], header: JSONObject = JSONObject(), encoded: Bool = true
  ) throws(JOSEError) -> String {
    var header = header
    if !encoded { Self.addUnencoded(&header) }
    let protected = try encodedHeader(header)
    let body = encoded ? Base64URL.encode(payload.span) : payload
    let signature = try signature(over: protected + [UInt8(ascii: ".")] + body)
    return String(
      decoding: protected + Array("..".utf8) + Base64URL.encode(signature.span), as: UTF8.self)
  }

  /// A compact JWS that carries its payload as it is (RFC 7797 section 5.2).
  ///
  /// - Throws: `alphabet` where the payload is not printable ASCII or has a dot.
  public func signUnencoded(
    _ payload: [UInt8], header: JSONObject = JSONObject()
  ) throws(JOSEError) -> String {
    try Self.checkUnencoded(payload)
    var header = header
    Self.addUnencoded(&header)
    let input = try encodedHeader(header) + [UInt8(ascii: ".")] + payload
    let signature = try signature(over: input)
    return String(
      decoding: input + [UInt8(ascii: ".")] + Base64URL.encode(signature.span), as: UTF8.self)
  }

  /// RFC 7797 section 5.2: an unencoded payload of a compact JWS is printable ASCII without a dot.
  static func checkUnencoded(_ payload: [UInt8]) throws(JOSEError) {
    for (offset, byte) in payload.enumerated()
    where !(0x20...0x7E).contains(byte) || byte == UInt8(ascii: ".") {
      throw .alphabet(.payload, offset: offset)
    }
  }

  static func addUnencoded(_ header: inout JSONObject) {
    var critical = header["crit"]?.array ?? []
    if !critical.contains(where: { $0.string?.isIdentical(to: "b64") ?? false }) { critical.append("b64") }
    header["b64"] = false
    header["crit"] = .array(critical)
  }

  /// The encoded protected header with `alg` first, then `kid`, then the caller's parameters.
  func encodedHeader(_ parameters: JSONObject) throws(JOSEError) -> [UInt8] {
    var header = JSONObject()
    header["alg"] = .string(algorithm.name)
    header["kid"] = keyID.map(JSONValue.string)
    for member in parameters.members {
      guard member.name != "alg" else {
        throw .policyInvalid(rule: "\"alg\" comes from the signer")
      }
      header[member.name] = member.value
    }
    return Base64URL.encode(JSONWriter.write(header).span)
  }

  package func signature(over input: [UInt8]) throws(JOSEError) -> [UInt8] {
    do throws(CryptoError) {
      switch maker {
      case .signature(let maker): return try maker.sign(input.span)
      case .code(let authenticator): return try authenticator.authenticate(input.span)
      }
    } catch {
      throw JOSEError(error)
    }
  }
}
