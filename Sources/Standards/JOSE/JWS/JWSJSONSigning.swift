internal import TokenSecurityBase

/// A signer of a JWS in a JSON serialisation, with its headers.
public struct JWSJSONSigner: Sendable {
  let signer: JWSSigner
  let protected: JSONObject
  let unprotected: JSONObject

  /// A signer with its headers.
  ///
  /// - Parameters:
  ///   - signer: key and algorithm. `alg` and `kid` go into the protected header.
  ///   - protected: more parameters that the signature covers.
  ///   - unprotected: parameters that it does not cover.
  public init(
    _ signer: JWSSigner, protected: JSONObject = JSONObject(),
    unprotected: JSONObject = JSONObject()
  ) {
    self.signer = signer
    self.protected = protected
    self.unprotected = unprotected
  }
}

extension JWSJSONSigner {
  /// The form of the payload in the JWS.
  public enum PayloadForm: Sendable, Hashable {
    /// As base64url.
    case encoded
    /// As text (RFC 7797); it must be UTF-8.
    case unencoded
    /// Left out.
    case detached
  }

  /// Makes a JWS in the flattened JSON serialisation (RFC 7515 section 7.2.2), signed by this signer.
  ///
  /// - Parameters:
  ///   - payload: any bytes.
  ///   - form: the form of the payload.
  /// - Returns: the JSON text.
  /// - Throws: `policyInvalid` if the payload or the headers cannot be written in this form.
  public func flattened(
    _ payload: [UInt8], form: PayloadForm = .encoded
  ) throws(JOSEError) -> String {
    var object = try Self.payloadMember(payload, form)
    for member in try entry(payload, form).members { object[member.name] = member.value }
    return JSONValue.object(object).description
  }

  /// Makes a JWS in the general JSON serialisation (RFC 7515 section 7.2.1), signed by all of `signers`.
  ///
  /// - Parameters:
  ///   - payload: any bytes.
  ///   - signers: at least one.
  ///   - form: the form of the payload.
  /// - Returns: the JSON text.
  /// - Throws: `policyInvalid` if the payload or the headers cannot be written in this form.
  public static func general(
    _ payload: [UInt8], by signers: [JWSJSONSigner], form: PayloadForm = .encoded
  ) throws(JOSEError) -> String {
    guard !signers.isEmpty else { throw .policyInvalid(rule: "a JWS needs at least one signer") }
    var object = try payloadMember(payload, form)
    var entries: [JSONValue] = []
    for signer in signers { entries.append(.object(try signer.entry(payload, form))) }
    object["signatures"] = .array(entries)
    return JSONValue.object(object).description
  }

  private func entry(_ payload: [UInt8], _ form: PayloadForm) throws(JOSEError) -> JSONObject {
    var header = protected
    if form == .unencoded { JWSSigner.addUnencoded(&header) }
    let encodedHeader = try signer.encodedHeader(header)
    let body = form == .unencoded ? payload : Base64URL.encode(payload.span)
    let signature = try signer.signature(over: encodedHeader + [UInt8(ascii: ".")] + body)
    var entry = JSONObject()
    entry["protected"] = .string(String(decoding: encodedHeader, as: UTF8.self))
    if !unprotected.members.isEmpty { entry["header"] = .object(unprotected) }
    entry["signature"] = .string(Base64URL.string(signature))
    return entry
  }

  private static func payloadMember(
    _ payload: [UInt8], _ form: PayloadForm
  ) throws(JOSEError) -> JSONObject {
    var object = JSONObject()
    switch form {
    case .encoded: object["payload"] = .string(Base64URL.string(payload))
    case .unencoded:
      guard let text = String(validating: payload, as: UTF8.self) else {
        throw .policyInvalid(rule: "an unencoded payload in JSON must be UTF-8")
      }
      object["payload"] = .string(text)
    case .detached: break
    }
    return object
  }
}
