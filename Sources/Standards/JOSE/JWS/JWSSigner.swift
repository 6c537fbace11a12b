internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Signs payloads with one key and one algorithm (RFC 7515 section 5.1).
///
/// Threads can share it. For tokens with claims and a lifetime see ``TokenSigner``.
public struct JWSSigner: Sendable {
  /// The algorithm.
  public let algorithm: Algorithm
  /// The key's `kid`, which goes into headers.
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
  ///   - algorithm: the algorithm. Default: the key's `alg`.
  /// - Throws: `keyNotPrivate`, `keyUseMismatch`, `keyOperationMismatch`, `keyAlgorithmMismatch`,
  ///   `keyTypeMismatch`, `hmacKeyTooShort` if the key does not fit; `policyInvalid` if no algorithm is
  ///   given.
  public init(key: JWK, algorithm: Algorithm? = nil) throws(JOSEError) {
    guard let algorithm = algorithm ?? key.algorithmName.flatMap(Algorithm.init(name:)) else {
      throw .policyInvalid(rule: "the key has no \"alg\", so the algorithm must be given")
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

  /// Makes a compact JWS over `payload` (RFC 7515 section 7.1).
  ///
  /// - Parameters:
  ///   - payload: any bytes.
  ///   - header: parameters other than `alg` and `kid`, which come from signer and key.
  /// - Returns: the JWS.
  /// - Throws: `policyInvalid` if `header` has `alg`.
  public func sign(
    _ payload: [UInt8], header: JSONObject = JSONObject()
  ) throws(JOSEError) -> String {
    try sign(payload, encodedHeader: encodedHeader(header))
  }

  /// Makes a compact JWS with an encoded header.
  func sign(_ payload: [UInt8], encodedHeader: [UInt8]) throws(JOSEError) -> String {
    var token = encodedHeader
    token.append(UInt8(ascii: "."))
    token += Base64URL.encode(payload.span)
    return try signed(token)
  }

  private func signed(_ input: consuming [UInt8]) throws(JOSEError) -> String {
    let signature = try signature(over: input)
    input.append(UInt8(ascii: "."))
    input += Base64URL.encode(signature.span)
    return String(decoding: input, as: UTF8.self)
  }

  /// Makes a compact JWS without its payload (RFC 7515 appendix F).
  ///
  /// - Parameters:
  ///   - payload: any bytes.
  ///   - header: parameters other than `alg` and `kid`.
  ///   - encoded: false to sign the payload without base64url (RFC 7797); sets `b64` and `crit`.
  /// - Returns: the JWS.
  /// - Throws: `policyInvalid` if `header` has `alg`.
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

  /// Makes a compact JWS with an unencoded payload (RFC 7797 section 5.2).
  ///
  /// - Parameters:
  ///   - payload: printable ASCII without a dot.
  ///   - header: parameters other than `alg` and `kid`; `b64` and `crit` are set.
  /// - Returns: the JWS.
  /// - Throws: `alphabet` for other payloads, `policyInvalid` if `header` has `alg`.
  public func signUnencoded(
    _ payload: [UInt8], header: JSONObject = JSONObject()
  ) throws(JOSEError) -> String {
    try Self.checkUnencoded(payload)
    var header = header
    Self.addUnencoded(&header)
    return try signed(encodedHeader(header) + [UInt8(ascii: ".")] + payload)
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
        throw .policyInvalid(rule: "the header must not have \"alg\": the signer sets it")
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
