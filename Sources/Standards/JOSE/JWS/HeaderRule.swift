/// The rules for headers, in the order in which they are checked: verification of tokens, their explanation
/// and verification of JWS use this list.
enum HeaderRule: Sendable, CaseIterable {
  /// `alg` is present, known, not `none`, and allowed.
  case algorithm
  /// `kid`, `typ` and `cty` are strings; no parameter belongs to JWE or brings in a key.
  case parameters
  /// `crit` names present, understood parameters, and `b64` fits the call (RFC 7515 section 4.1.11, RFC
  /// 7797).
  case critical
  /// `typ`, compared as a media type (RFC 7515 section 4.1.9).
  case type
}

/// The encoding of the payload that a call expects (`b64`, RFC 7797 section 3).
enum PayloadEncoding {
  case base64url
  case plain
  case either
}
