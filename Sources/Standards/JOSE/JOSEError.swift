public import TokenLifetime
public import TokenSecurityBase

/// Why a token, a signature or a key was refused.
///
/// Each case carries the value that broke the rule. ``code`` is stable, for programs; ``description`` is one
/// sentence for people. Neither contains a secret.
@nonexhaustive public enum JOSEError: CodedError, Equatable {
  // Form (RFC 7515 sections 2, 3.1 and 7)
  /// The token is an empty text.
  case tokenEmpty
  /// The token is larger than the policy allows; both in bytes. The size is nil if reading stopped early.
  case tokenTooLarge(size: Int?, limit: Int)
  /// A part of the token is larger than the policy allows; both in bytes.
  case partTooLarge(TokenPart, size: Int, limit: Int)
  /// The token begins with the byte order mark of UTF-8.
  case byteOrderMark
  /// The token does not have exactly three parts. A JWE has five.
  case notCompact(parts: Int)
  /// White space or a line break; `offset` in bytes from the start of the part.
  case whiteSpace(TokenPart, offset: Int)
  /// A character outside the base64url alphabet.
  case alphabet(TokenPart, offset: Int)
  /// Base64url with padding, which JOSE forbids.
  case padding(TokenPart)
  /// A length that base64url text cannot have.
  case encodedLength(TokenPart, Int)
  /// Unused bits of the last character that are not zero.
  case trailingBits(TokenPart)
  /// A part is not valid JSON.
  case json(TokenPart, JSONError)
  /// A part is JSON, but not an object.
  case notAnObject(TokenPart, actual: String)
  /// A JSON serialisation breaks a rule of RFC 7515 section 7.2.
  case serialization(rule: String)
  /// The JWS contains a payload where a detached one is expected, or the reverse.
  case payloadPlacement(expected: PayloadPlacement)

  // Header (RFC 7515 section 4)
  /// `alg` is missing.
  case algorithmMissing
  /// `alg` is `none`, in any spelling.
  case algorithmNone(String)
  /// `alg` is not a known signature algorithm.
  case algorithmUnknown(String)
  /// The policy does not allow this algorithm.
  case algorithmNotAllowed(Algorithm, allowed: [Algorithm])
  /// `alg` is in the unprotected header, where anyone can change it.
  case algorithmUnprotected
  /// A header parameter has the wrong type of value.
  case headerParameterType(name: String, expected: String)
  /// A header parameter that contains or names a key of the sender's choice.
  case headerKeySource(name: String)
  /// A header parameter of JWE, or `zip`, in a JWS.
  case headerEncryption(name: String)
  /// `crit` is empty.
  case criticalEmpty
  /// `crit` names a parameter twice.
  case criticalDuplicate(name: String)
  /// `crit` names a parameter that the protected header does not have.
  case criticalAbsent(name: String)
  /// `crit` names a parameter that is not understood.
  case criticalNotUnderstood(name: String)
  /// `crit` is in the unprotected header.
  case criticalUnprotected
  /// `b64` is present and `crit` does not name it (RFC 7797 section 6).
  case unencodedNotCritical
  /// `b64` is false in a JWT (RFC 7797 section 7), or in a call for encoded payloads.
  case unencodedPayload
  /// `b64` is not false in a call for unencoded payloads.
  case payloadEncoded
  /// `typ` is not as the policy expects.
  case typeMismatch(expected: [String], actual: String?)

  // Keys (RFC 7517, RFC 7518 section 6, RFC 8725)
  /// No key has the token's `kid`, or none fits its algorithm.
  case keyNotFound(kid: String?, algorithm: Algorithm)
  /// More keys fit than may be tried.
  case keyAmbiguous(count: Int, limit: Int)
  /// The key is of a type that does not fit the algorithm.
  case keyTypeMismatch(kid: String?, algorithm: Algorithm)
  /// The key's `alg` is another one.
  case keyAlgorithmMismatch(kid: String?, keyAlgorithm: String, algorithm: Algorithm)
  /// The key's `use` is not `sig`.
  case keyUseMismatch(kid: String?, use: String)
  /// The key's `key_ops` do not include the operation.
  case keyOperationMismatch(kid: String?, operation: String)
  /// `key_ops` names an operation twice, or contradicts `use` (RFC 7517 section 4.3).
  case keyOperationsInvalid(rule: String)
  /// The key type is unknown.
  case keyTypeUnknown(String)
  /// The curve is unknown.
  case curveUnknown(String)
  /// The key lacks a member that its type requires.
  case keyMemberMissing(name: String)
  /// A member of the key has the wrong type, or text that is not strict base64url.
  case keyMemberInvalid(name: String)
  /// A coordinate or key has the wrong number of bytes.
  case keyMemberLength(name: String, expected: Int, actual: Int)
  /// An RSA modulus of too few or too many bits.
  case rsaModulusSize(bits: Int, allowed: ClosedRange<Int>)
  /// An RSA modulus that is even.
  case rsaModulusEven
  /// An RSA modulus with the structure of keys that can be factored (ROCA, CVE-2017-15361).
  case rsaModulusROCA
  /// An RSA exponent that is even, below 3 or too large.
  case rsaExponent
  /// A private number of an RSA key that is longer than the modulus.
  case rsaPrivateNumberSize(bits: Int, limit: Int)
  /// A point that is not on its curve, has small order, or is not encoded canonically.
  case pointInvalid
  /// A private key that does not belong to the public key beside it.
  case keyPairMismatch
  /// An HMAC key shorter than its digest; both in bits.
  case hmacKeyTooShort(bits: Int, minimum: Int)
  /// A PEM, DER, JWK or certificate was passed as an HMAC secret.
  case hmacKeyIsKeyFile
  /// The first certificate of `x5c` is for another key, or `x5c` is not a list of certificates and the form strict.
  case certificateMismatch
  /// `x5t#S256` is not the digest of the first certificate in `x5c`.
  case certificateThumbprintMismatch
  /// The text or bytes are not a key in a supported form.
  case keyUnreadable
  /// A key file is BER and breaks a rule of DER.
  case keyNotDER(rule: String)
  /// Bytes follow after the key.
  case keyTrailingData
  /// The key is encrypted with a password.
  case keyEncrypted
  /// A PEM text breaks RFC 7468.
  case pem(rule: String)
  /// A key set is not an object with an array of `keys`, or a PEM text has several keys where one is expected.
  case keySetInvalid(rule: String)
  /// The key has no private half to sign with.
  case keyNotPrivate
  /// The key has a private member, or is a shared secret, where only a public key is allowed.
  case keyNotPublic(member: String)
  /// A file of private keys cannot be read or written, or others can read it.
  case keyFileUnusable(String)

  // Signature (RFC 7518 section 3)
  /// A signature of the wrong number of bytes.
  case signatureLength(expected: Int, actual: Int)
  /// An ECDSA signature with r or s outside of 1…n-1.
  case signatureRange
  /// An RSASSA-PSS signature that is valid but for the length of its salt; both in bytes.
  case signatureSaltLength(expected: Int, actual: Int)
  /// The signature is not valid.
  case signatureInvalid
  /// A general JWS has fewer valid signatures than required.
  case signaturesMissing(valid: Int, expected: Int)

  // Claims (RFC 7519 section 4)
  /// A required claim is missing.
  case claimMissing(name: String)
  /// A claim has the wrong type of value.
  case claimType(name: String, expected: String)
  /// A date is outside the years 1 to 9999.
  case dateOutOfRange(name: String)
  /// The token has expired.
  case expired(at: NumericDate, now: NumericDate)
  /// The token is not valid yet.
  case notYetValid(from: NumericDate, now: NumericDate)
  /// The token was issued in the future.
  case issuedInFuture(at: NumericDate, now: NumericDate)
  /// The issuer is not as the policy expects.
  case issuerMismatch(expected: [String], actual: String)
  /// The audience is not as the policy expects.
  case audienceMismatch(expected: [String], actual: [String])
  /// The subject is not as the policy expects.
  case subjectMismatch(expected: [String], actual: String)
  /// The token is bound to a key of its sender (`cnf`) by methods that are not all accepted (RFC 7800 section 3.1).
  case tokenBound(methods: [String], accepted: [String])
  /// The token is used by an actor for its subject (`act`), who is not accepted (RFC 8693 section 4.1). `actor` is nil if
  /// it has no text as `sub`. An actor of another issuer than the token's (`iss` in `act`) is never accepted by its `sub`.
  case tokenDelegated(actor: String?, accepted: [String])
  /// A claim or parameter is present that the policy expects to be absent.
  case claimUnexpected(name: String)
  /// A claim has another value than the policy expects.
  case claimMismatch(name: String, expected: [JSONValue], actual: JSONValue)
  /// `exp` is before `iat`; the duration is negative.
  case lifetimeNegative(Duration)
  /// The token's lifetime is longer than the policy allows.
  case lifetimeTooLong(Duration, limit: Duration)
  /// The token or the sign-in is too old. `claim` is `iat` or `auth_time`.
  case tooOld(claim: String, age: Duration, limit: Duration)
  /// A check of the caller refused the token.
  case checkFailed(name: String, message: String)
  /// A rule of another standard was broken; the refusal has its own code.
  case ruleBroken(CheckRefusal)

  // Use
  /// The lifetime of a token to issue is not allowed by its rule.
  case lifetimeRefused(LifetimeError)
  /// A policy or the arguments for a signature contradict themselves.
  case policyInvalid(rule: String)
  /// A libcrypto function failed, for lack of memory or in an incomplete build.
  case library(String)
}

/// Where the payload of a JWS is.
public enum PayloadPlacement: String, Sendable, Hashable {
  /// Inside the JWS.
  case attached
  /// Sent separately (RFC 7515 appendix F).
  case detached
}
