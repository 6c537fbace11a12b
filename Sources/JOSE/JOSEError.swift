public import TokenSecurityEncodings
public import TokenLifetime

/// Why a token, a signature or a key was refused.
///
/// Each case carries what broke the rule. ``code`` is for programs and never changes its meaning;
/// ``description`` is one sentence for people. Neither ever holds a secret.
@nonexhaustive public enum JOSEError: CodedError, Equatable {
  // Form (RFC 7515 sections 2, 3.1 and 7)
  /// There is no token.
  case tokenEmpty
  /// The token is larger than the policy allows; both in bytes. The size is nil where the reading stopped
  /// before it was known.
  case tokenTooLarge(size: Int?, limit: Int)
  /// A part of the token is larger than the policy allows; both in bytes.
  case partTooLarge(TokenPart, size: Int, limit: Int)
  /// The token has not exactly three parts. Five would be a JWE.
  case notCompact(parts: Int)
  /// White space or a line break; `offset` counts bytes into the part.
  case whiteSpace(TokenPart, offset: Int)
  /// A character outside the base64url alphabet.
  case alphabet(TokenPart, offset: Int)
  /// Base64url with padding, which JOSE leaves out.
  case padding(TokenPart)
  /// A number of characters that no bytes encode to.
  case encodedLength(TokenPart, Int)
  /// Bits behind the last byte that are not zero.
  case trailingBits(TokenPart)
  /// A part is not the JSON that it must be.
  case json(TokenPart, JSONError)
  /// A part is JSON, but not an object.
  case notAnObject(TokenPart, actual: String)
  /// A JSON serialisation breaks RFC 7515 section 7.2; `rule` says which of its rules.
  case serialization(rule: String)
  /// A call for detached payloads was given a token with one, or the other way round.
  case payloadPlacement(expected: PayloadPlacement)

  // Header (RFC 7515 section 4)
  /// There is no `alg`.
  case algorithmMissing
  /// `alg` is `none`, in whatever spelling.
  case algorithmNone(String)
  /// `alg` names no signature algorithm that is known here.
  case algorithmUnknown(String)
  /// The policy does not allow this algorithm.
  case algorithmNotAllowed(Algorithm, allowed: [Algorithm])
  /// `alg` stands in the unprotected header, where anyone can change it.
  case algorithmUnprotected
  /// A header parameter has the wrong type of value.
  case headerParameterType(name: String, expected: String)
  /// A header parameter that would bring in a key of the sender's choice.
  case headerKeySource(name: String)
  /// A header parameter of JWE, or `zip`, in a JWS.
  case headerEncryption(name: String)
  /// `crit` is empty.
  case criticalEmpty
  /// `crit` names a parameter twice.
  case criticalDuplicate(name: String)
  /// `crit` names a parameter that the protected header does not have.
  case criticalAbsent(name: String)
  /// `crit` names a parameter that is not understood here.
  case criticalNotUnderstood(name: String)
  /// `crit` stands in the unprotected header.
  case criticalUnprotected
  /// `b64` is given without `crit` naming it (RFC 7797 section 6).
  case unencodedNotCritical
  /// `b64` is false in a JWT (RFC 7797 section 7), or in a call for encoded payloads.
  case unencodedPayload
  /// `b64` is not false in a call for unencoded payloads.
  case payloadEncoded
  /// `typ` is not what the policy wants.
  case typeMismatch(expected: [String], actual: String?)

  // Keys (RFC 7517, RFC 7518 section 6, RFC 8725)
  /// No key has the token's `kid`, or none fits its algorithm.
  case keyNotFound(kid: String?, algorithm: Algorithm)
  /// Too many keys fit, so that trying them all would cost too much.
  case keyAmbiguous(count: Int, limit: Int)
  /// The key is of a type that does not fit the algorithm.
  case keyTypeMismatch(kid: String?, algorithm: Algorithm)
  /// The key's own `alg` is another one.
  case keyAlgorithmMismatch(kid: String?, keyAlgorithm: String, algorithm: Algorithm)
  /// The key's `use` is not `sig`.
  case keyUseMismatch(kid: String?, use: String)
  /// The key's `key_ops` do not allow the operation.
  case keyOperationMismatch(kid: String?, operation: String)
  /// `key_ops` names an operation twice, or contradicts `use` (RFC 7517 section 4.3).
  case keyOperationsInvalid(rule: String)
  /// The key is of a type that is not known.
  case keyTypeUnknown(String)
  /// The key is on a curve that is not known.
  case curveUnknown(String)
  /// The key lacks a member that its type needs.
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
  /// A point that is not on its curve or of small order.
  case pointInvalid
  /// A private key that does not belong to the public key beside it.
  case keyPairMismatch
  /// An HMAC key shorter than its digest; both in bits.
  case hmacKeyTooShort(bits: Int, minimum: Int)
  /// A PEM, DER, JWK or certificate was given as an HMAC secret.
  case hmacKeyIsKeyFile
  /// `x5c` is not a list of certificates, or its first is for another key.
  case certificateMismatch
  /// `x5t#S256` is not the digest of the first certificate in `x5c`.
  case certificateThumbprintMismatch
  /// The text or bytes are no key that can be read here.
  case keyUnreadable
  /// A key file in DER breaks a rule of DER that BER does not have; `rule` says which.
  case keyNotDER(rule: String)
  /// Bytes follow after the key.
  case keyTrailingData
  /// The private key is encrypted with a password.
  case keyEncrypted
  /// A PEM text breaks RFC 7468.
  case pem(rule: String)
  /// A key set is not an object with an array of `keys`.
  case keySetInvalid(rule: String)
  /// The key has no private half to sign with.
  case keyNotPrivate
  /// The key has a private member, or is a shared secret, where only a public key may be.
  case keyNotPublic(member: String)

  // Signature (RFC 7518 section 3)
  /// A signature of the wrong number of bytes.
  case signatureLength(expected: Int, actual: Int)
  /// An ECDSA signature with r or s outside of 1…n-1.
  case signatureRange
  /// The signature does not hold.
  case signatureInvalid
  /// Fewer signatures of a general JWS hold than are demanded.
  case signaturesMissing(valid: Int, expected: Int)

  // Claims (RFC 7519 section 4)
  /// A claim is demanded and is not there.
  case claimMissing(name: String)
  /// A claim has the wrong type of value.
  case claimType(name: String, expected: String)
  /// A date is beyond the years that can be told.
  case dateOutOfRange(name: String)
  /// The token has expired.
  case expired(at: NumericDate, now: NumericDate)
  /// The token is not valid yet.
  case notYetValid(from: NumericDate, now: NumericDate)
  /// The token was issued in the future.
  case issuedInFuture(at: NumericDate, now: NumericDate)
  /// The issuer is not one that the policy wants.
  case issuerMismatch(expected: [String], actual: String)
  /// The audience is none that the policy wants.
  case audienceMismatch(expected: [String], actual: [String])
  /// The subject is not one that the policy wants.
  case subjectMismatch(expected: [String], actual: String)
  /// A claim is there that the policy wants absent.
  case claimUnexpected(name: String)
  /// A claim has another value than the policy wants.
  case claimMismatch(name: String, expected: [JSONValue], actual: JSONValue)
  /// `exp` is before `iat`, by this negative duration.
  case lifetimeNegative(Duration)
  /// The token lives longer than the policy allows.
  case lifetimeTooLong(Duration, limit: Duration)
  /// Too long ago. `claim` is `iat` or `auth_time`.
  case tooOld(claim: String, age: Duration, limit: Duration)
  /// A caller's own check refused.
  case checkFailed(name: String, message: String)
  /// A rule of another standard, built upon this one, was broken; the refusal has a code of its own.
  case ruleBroken(CheckRefusal)

  // Use
  /// A token is to be issued for a life that its rule does not allow.
  case lifetimeRefused(LifetimeError)
  /// A policy or a request to issue asks for something that cannot be; `rule` says what.
  case policyInvalid(rule: String)
  /// libcrypto failed where it cannot but for lack of memory or a crippled build.
  case library(String)
}

/// Where the payload of a JWS is.
public enum PayloadPlacement: String, Sendable, Hashable {
  /// Inside the JWS.
  case attached
  /// Known to both sides without being sent (RFC 7515 appendix F).
  case detached
}
