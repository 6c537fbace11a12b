internal import TokenSecurityEncodings

extension JOSEError: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it. Text that came from outside is
  /// bounded and escaped; secrets are never in it.
  public var description: String {
    formDescription ?? headerDescription ?? keyDescription ?? claimDescription ?? code.rawValue
  }

  private var formDescription: String? {
    switch self {
    case .tokenEmpty: "there is no token"
    case .tokenTooLarge(nil, let limit):
      "the token has more than \(limit) bytes, the most that are allowed"
    case .tokenTooLarge(let size?, let limit):
      "the token has \(size) bytes where at most \(limit) are allowed"
    case .partTooLarge(let part, let size, let limit):
      "the \(part.rawValue) has \(size) characters where at most \(limit) are allowed"
    case .notCompact(5):
      "the token has five parts, as an encrypted one (JWE) has; a signed token (JWS) has three"
    case .notCompact(let parts):
      "a compact JWS has exactly three parts divided by dots, and this has \(parts)"
    case .whiteSpace(let part, let offset):
      "the \(part.rawValue) has white space at character \(offset), which base64url forbids"
    case .alphabet(let part, let offset):
      "the \(part.rawValue) has a character outside the base64url alphabet at \(offset)"
    case .padding(let part):
      "the \(part.rawValue) is padded with \"=\", which RFC 7515 section 2 leaves out"
    case .encodedLength(let part, let count):
      "the \(part.rawValue) has \(count) characters, a number that no bytes encode to"
    case .trailingBits(let part):
      "the last character of the \(part.rawValue) has unused bits that are not zero"
    case .json(let part, let error): "the \(part.rawValue) is not acceptable JSON: \(error)"
    case .notAnObject(let part, let found):
      "the \(part.rawValue) must be a JSON object and is \(found)"
    case .serialization(let rule): "the JSON serialisation is refused: \(rule)"
    case .payloadPlacement(.attached): "the payload is missing; a detached one has a call of its own"
    case .payloadPlacement(.detached):
      "the JWS brings a payload along where a detached one is expected"
    default: nil
    }
  }

  private var headerDescription: String? {
    switch self {
    case .algorithmMissing: "the header has no \"alg\""
    case .algorithmNone(let name):
      "\"alg\" is \(name.quoted): a token without a signature is never accepted"
    case .algorithmUnknown(let name):
      "\"alg\" is \(name.quoted), which is no signature algorithm known here"
    case .algorithmNotAllowed(let algorithm, let allowed):
      "\"alg\" is \(algorithm.name) where only \(Self.list(allowed.map(\.name))) is allowed"
    case .algorithmUnprotected: "\"alg\" is in the unprotected header, where anyone can change it"
    case .headerParameterType(let name, let expected):
      "the header's \(name.quoted) must be \(expected)"
    case .headerKeySource(let name):
      "the header has \(name.quoted), and a token must not bring its own key along"
    case .headerEncryption(let name):
      "the header has \(name.quoted), which belongs to encrypted tokens"
    case .criticalEmpty: "\"crit\" is an empty list, which RFC 7515 section 4.1.11 forbids"
    case .criticalDuplicate(let name): "\"crit\" names \(name.quoted) twice"
    case .criticalAbsent(let name):
      "\"crit\" names \(name.quoted), which the protected header does not have"
    case .criticalNotUnderstood(let name):
      "\"crit\" demands that \(name.quoted) be understood, and it is not"
    case .criticalUnprotected: "\"crit\" is in the unprotected header, where anyone can change it"
    case .unencodedNotCritical: "the header has \"b64\" without naming it in \"crit\" (RFC 7797)"
    case .unencodedPayload: "\"b64\" is false, which a JWT must not have (RFC 7797 section 7)"
    case .payloadEncoded: "\"b64\" is not false, and the call is for payloads that are not encoded"
    case .typeMismatch(let expected, let found):
      "\"typ\" is \(found?.quoted ?? "absent") where \(Self.list(expected.map(\.quoted))) is wanted"
    case .signatureLength(let expected, let found):
      "the signature has \(found) bytes where this key and algorithm make \(expected)"
    case .signatureRange: "the signature's r or s is not between 1 and the curve's order"
    case .signatureInvalid: "the signature does not hold for this header and payload and this key"
    case .signaturesMissing(let held, let demanded):
      "\(held) of the signatures hold where \(demanded) must"
    default: nil
    }
  }

  private var keyDescription: String? {
    switch self {
    case .keyNotFound(let kid?, let algorithm):
      "no key for \(algorithm.name) has the token's \"kid\" \(kid.quoted)"
    case .keyNotFound(nil, let algorithm):
      "the token names no \"kid\", and no key fits \(algorithm.name)"
    case .keyAmbiguous(let count, let limit):
      "\(count) keys fit the token where at most \(limit) are tried; a \"kid\" would tell them apart"
    case .keyTypeMismatch(let kid, let algorithm):
      "the key \(Self.quoted(kid)) is of a type that does not fit \(algorithm.name)"
    case .keyAlgorithmMismatch(let kid, let keyAlgorithm, let algorithm):
      "the key \(Self.quoted(kid)) is for \(keyAlgorithm.quoted) and the token has \(algorithm.name)"
    case .keyUseMismatch(let kid, let use):
      "the key \(Self.quoted(kid)) has the \"use\" \(use.quoted) and is not for signatures"
    case .keyOperationMismatch(let kid, let operation):
      "the \"key_ops\" of the key \(Self.quoted(kid)) do not have \(operation.quoted)"
    case .keyOperationsInvalid(let rule): "the key's \"key_ops\" are refused: \(rule)"
    case .keyTypeUnknown(let type): "\(type.quoted) is no type of key known here"
    case .curveUnknown(let curve): "\(curve.quoted) is no curve known here"
    case .keyMemberMissing(let name): "the key has no \(name.quoted)"
    case .keyMemberInvalid(let name): "the key's \(name.quoted) cannot be read"
    case .keyMemberLength(let name, let expected, let found):
      "the key's \(name.quoted) has \(found) bytes where \(expected) are needed"
    case .rsaModulusSize(let bits, let allowed):
      "the RSA modulus has \(bits) bits where \(allowed.lowerBound) to \(allowed.upperBound) are allowed"
    case .rsaModulusEven: "the RSA modulus is even"
    case .rsaModulusROCA: "the RSA modulus is of the kind that can be factored (ROCA, CVE-2017-15361)"
    case .rsaExponent: "the RSA exponent is even, below 3 or above 33 bits"
    case .rsaPrivateNumberSize(let bits, let limit):
      "a private number of the RSA key has \(bits) bits where the modulus has \(limit)"
    case .pointInvalid: "the key's point is not on its curve, or is of small order"
    case .keyPairMismatch: "the private key does not belong to the public key beside it"
    case .hmacKeyTooShort(let bits, let minimum):
      "the secret has \(bits) bits where HMAC with this digest needs \(minimum) (RFC 7518 section 3.2)"
    case .hmacKeyIsKeyFile:
      "the secret is a PEM, DER or JWK key; taking a public key for a secret lets anyone sign"
    case .certificateMismatch: "\"x5c\" cannot be read or is for another key"
    case .certificateThumbprintMismatch:
      "\"x5t#S256\" is not the SHA-256 digest of the first certificate in \"x5c\""
    case .keyUnreadable: "this is no key that can be read: PEM, DER, JWK and JWK sets are"
    case .keyNotDER(let rule): "the key is not in DER: \(rule)"
    case .keyTrailingData: "bytes follow after the key"
    case .keyEncrypted: "the private key is encrypted; decrypt it first"
    case .pem(let rule): "the PEM text is refused: \(rule)"
    case .keySetInvalid(let rule): "the key set is refused: \(rule)"
    case .keyNotPrivate: "the key has no private half to sign with"
    case .keyNotPublic(let member): "the key has \(member.quoted) where only a public key may be"
    default: nil
    }
  }

  private var claimDescription: String? {
    switch self {
    case .claimMissing(let name): "the claim \(name.quoted) is demanded and is not there"
    case .claimType(let name, let expected): "the claim \(name.quoted) must be \(expected)"
    case .dateOutOfRange(let name):
      "the claim \(name.quoted) is a time outside of the years 1 to 9999; it counts seconds, not milliseconds"
    case .expired(let at, let now):
      "the token expired at \(at), \(at.relative(to: now))"
    case .notYetValid(let from, let now):
      "the token is valid only from \(from) on, in \(TimeSpan(from: now, to: from))"
    case .issuedInFuture(let at, let now):
      "the token was issued at \(at), which is \(TimeSpan(from: now, to: at)) in the future"
    case .issuerMismatch(let expected, let found):
      "the issuer is \(found.quoted(upTo: 128)) where \(Self.list(expected.map { $0.quoted(upTo: 128) })) is wanted"
    case .audienceMismatch(let expected, let found):
      "the audience is \(Self.list(found.map(\.quoted))) where \(Self.list(expected.map(\.quoted))) is wanted"
    case .subjectMismatch(let expected, let found):
      "the subject is \(found.quoted) where \(Self.list(expected.map(\.quoted))) is wanted"
    case .claimUnexpected(let name): "the claim \(name.quoted) is there and must not be"
    case .claimMismatch(let name, let expected, let found):
      "the claim \(name.quoted) is \(found.description.visible(upTo: 64)) where \(Self.list(expected.map { $0.description.visible(upTo: 64) })) is wanted"
    case .lifetimeNegative(let seconds): "the token ends \(seconds.magnitude) s before it begins"
    case .lifetimeTooLong(let seconds, let limit):
      "the token lives \(TimeSpan(seconds: seconds)) where at most \(TimeSpan(seconds: limit)) is allowed (\(seconds) s, \(limit) s)"
    case .tooOld(let claim, let age, let limit):
      "\(claim.quoted) is \(TimeSpan(seconds: age)) ago where at most \(TimeSpan(seconds: limit)) is allowed"
    case .checkFailed(let name, let message):
      "the check \(name.quoted) refused: \(message.visible(upTo: 200))"
    case .ruleBroken(let refusal): refusal.message.visible(upTo: 512)
    case .lifetimeRefused(let error): "no token is issued: \(error)"
    case .policyInvalid(let rule): rule
    case .library(let function): "libcrypto failed in \(function)"
    default: nil
    }
  }

  private static func quoted(_ text: String?) -> String { text?.quoted ?? "without a name" }

  /// At most eight of `texts`, so that no message grows with what a stranger sent.
  private static func list(_ texts: [String]) -> String {
    guard !texts.isEmpty else { return "none" }
    let shown = texts.prefix(8).joined(separator: ", ")
    return texts.count > 8 ? shown + " and \(texts.count - 8) more" : shown
  }
}
