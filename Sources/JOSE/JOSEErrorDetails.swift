internal import TokenSecurityEncodings

extension JOSEError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .tokenEmpty: (.tokenEmpty, "there is no token")
    case .tokenTooLarge(nil, let limit):
      (.tokenTooLarge, "the token has more than \(limit) bytes, the most that are allowed")
    case .tokenTooLarge(let size?, let limit):
      (.tokenTooLarge, "the token has \(size) bytes where at most \(limit) are allowed")
    case .partTooLarge(let part, let size, let limit):
      (.partTooLarge, "the \(part.rawValue) has \(size) characters where at most \(limit) are allowed")
    case .notCompact(5):
      (.notCompact, "the token has five parts, as an encrypted one (JWE) has; a signed token (JWS) has three")
    case .notCompact(let parts):
      (.notCompact, "a compact JWS has exactly three parts divided by dots, and this has \(parts)")
    case .whiteSpace(let part, let offset):
      (.whiteSpace, "the \(part.rawValue) has white space at character \(offset), which base64url forbids")
    case .alphabet(let part, let offset):
      (.alphabet, "the \(part.rawValue) has a character outside the base64url alphabet at \(offset)")
    case .padding(let part):
      (.padding, "the \(part.rawValue) is padded with \"=\", which RFC 7515 section 2 leaves out")
    case .encodedLength(let part, let count):
      (.encodedLength, "the \(part.rawValue) has \(count) characters, a number that no bytes encode to")
    case .trailingBits(let part):
      (.trailingBits, "the last character of the \(part.rawValue) has unused bits that are not zero")
    case .json(let part, let error): (.json, "the \(part.rawValue) is not acceptable JSON: \(error)")
    case .notAnObject(let part, let actual):
      (.notAnObject, "the \(part.rawValue) must be a JSON object and is \(actual)")
    case .serialization(let rule): (.serialization, "the JSON serialisation is refused: \(rule)")
    case .payloadPlacement(.attached):
      (.payloadPlacement, "the payload is missing; a detached one has a call of its own")
    case .payloadPlacement(.detached):
      (.payloadPlacement, "the JWS brings a payload along where a detached one is expected")
    case .algorithmMissing: (.algorithmMissing, "the header has no \"alg\"")
    case .algorithmNone(let name):
      (.algorithmNone, "\"alg\" is \(name.quoted): a token without a signature is never accepted")
    case .algorithmUnknown(let name):
      (.algorithmUnknown, "\"alg\" is \(name.quoted), which is no signature algorithm known here")
    case .algorithmNotAllowed(let algorithm, let allowed):
      (
        .algorithmNotAllowed,
        "\"alg\" is \(algorithm.name) where only \(allowed.map(\.name).shortList) is allowed"
      )
    case .algorithmUnprotected:
      (.algorithmUnprotected, "\"alg\" is in the unprotected header, where anyone can change it")
    case .headerParameterType(let name, let expected):
      (.headerParameterType, "the header's \(name.quoted) must be \(expected)")
    case .headerKeySource(let name):
      (.headerKeySource, "the header has \(name.quoted), and a token must not bring its own key along")
    case .headerEncryption(let name):
      (.headerEncryption, "the header has \(name.quoted), which belongs to encrypted tokens")
    case .criticalEmpty: (.criticalEmpty, "\"crit\" is an empty list, which RFC 7515 section 4.1.11 forbids")
    case .criticalDuplicate(let name): (.criticalDuplicate, "\"crit\" names \(name.quoted) twice")
    case .criticalAbsent(let name):
      (.criticalAbsent, "\"crit\" names \(name.quoted), which the protected header does not have")
    case .criticalNotUnderstood(let name):
      (.criticalNotUnderstood, "\"crit\" demands that \(name.quoted) be understood, and it is not")
    case .criticalUnprotected:
      (.criticalUnprotected, "\"crit\" is in the unprotected header, where anyone can change it")
    case .unencodedNotCritical:
      (.unencodedNotCritical, "the header has \"b64\" without naming it in \"crit\" (RFC 7797)")
    case .unencodedPayload:
      (.unencodedPayload, "\"b64\" is false, which a JWT must not have (RFC 7797 section 7)")
    case .payloadEncoded:
      (.payloadEncoded, "\"b64\" is not false, and the call is for payloads that are not encoded")
    case .typeMismatch(let expected, let actual):
      (
        .typeMismatch,
        "\"typ\" is \(actual?.quoted ?? "absent") where \(expected.quotedList(upTo: 64)) is wanted"
      )
    case .signatureLength(let expected, let actual):
      (.signatureLength, "the signature has \(actual) bytes where this key and algorithm make \(expected)")
    case .signatureRange: (.signatureRange, "the signature's r or s is not between 1 and the curve's order")
    case .signatureInvalid:
      (.signatureInvalid, "the signature does not hold for this header and payload and this key")
    case .signaturesMissing(let held, let demanded):
      (.signaturesMissing, "\(held) of the signatures hold where \(demanded) must")
    case .keyNotFound(let kid?, let algorithm):
      (.keyNotFound, "no key for \(algorithm.name) has the token's \"kid\" \(kid.quoted)")
    case .keyNotFound(nil, let algorithm):
      (.keyNotFound, "the token names no \"kid\", and no key fits \(algorithm.name)")
    case .keyAmbiguous(let count, let limit):
      (
        .keyAmbiguous,
        "\(count) keys fit the token and at most \(limit) are tried; a \"kid\" would select one"
      )
    case .keyTypeMismatch(let kid, let algorithm):
      (.keyTypeMismatch, "the key \(Self.quoted(kid)) is of a type that does not fit \(algorithm.name)")
    case .keyAlgorithmMismatch(let kid, let other, let algorithm):
      (
        .keyAlgorithmMismatch,
        "the key \(Self.quoted(kid)) is for \(other.quoted), the token has \(algorithm.name)"
      )
    case .keyUseMismatch(let kid, let use):
      (.keyUseMismatch, "the key \(Self.quoted(kid)) has the \"use\" \(use.quoted) and is not for signatures")
    case .keyOperationMismatch(let kid, let operation):
      (.keyOperationMismatch, "\"key_ops\" of the key \(Self.quoted(kid)) do not have \(operation.quoted)")
    case .keyOperationsInvalid(let rule):
      (.keyOperationsInvalid, "the key's \"key_ops\" are refused: \(rule)")
    case .keyTypeUnknown(let type): (.keyTypeUnknown, "\(type.quoted) is no type of key known here")
    case .curveUnknown(let curve): (.curveUnknown, "\(curve.quoted) is no curve known here")
    case .keyMemberMissing(let name): (.keyMemberMissing, "the key has no \(name.quoted)")
    case .keyMemberInvalid(let name): (.keyMemberInvalid, "the key's \(name.quoted) cannot be read")
    case .keyMemberLength(let name, let expected, let actual):
      (.keyMemberLength, "the key's \(name.quoted) has \(actual) bytes where \(expected) are needed")
    case .rsaModulusSize(let bits, let allowed):
      (
        .rsaModulusSize,
        "the RSA modulus has \(bits) bits; \(allowed.lowerBound) to \(allowed.upperBound) are allowed"
      )
    case .rsaModulusEven: (.rsaModulusEven, "the RSA modulus is even")
    case .rsaModulusROCA:
      (.rsaModulusROCA, "the RSA modulus is of the kind that can be factored (ROCA, CVE-2017-15361)")
    case .rsaExponent: (.rsaExponent, "the RSA exponent is even, below 3 or above 33 bits")
    case .rsaPrivateNumberSize(let bits, let limit):
      (.rsaPrivateNumberSize, "a private number of the RSA key has \(bits) bits, the modulus has \(limit)")
    case .pointInvalid: (.pointInvalid, "the key's point is not on its curve, or is of small order")
    case .keyPairMismatch: (.keyPairMismatch, "the private key does not belong to the public key beside it")
    case .hmacKeyTooShort(let bits, let minimum):
      (.hmacKeyTooShort, "the secret has \(bits) bits; this HMAC needs \(minimum) (RFC 7518 section 3.2)")
    case .hmacKeyIsKeyFile:
      (.hmacKeyIsKeyFile, "the secret is a PEM, DER or JWK key: with a public key as secret anyone can sign")
    case .certificateMismatch: (.certificateMismatch, "\"x5c\" cannot be read or is for another key")
    case .certificateThumbprintMismatch:
      (.certificateThumbprintMismatch, "\"x5t#S256\" is not the SHA-256 of the first \"x5c\" certificate")
    case .keyUnreadable: (.keyUnreadable, "this is no key that can be read: PEM, DER, JWK and JWK sets are")
    case .keyNotDER(let rule): (.keyNotDER, "the key is not in DER: \(rule)")
    case .keyTrailingData: (.keyTrailingData, "bytes follow after the key")
    case .keyEncrypted: (.keyEncrypted, "the private key is encrypted; decrypt it first")
    case .pem(let rule): (.pem, "the PEM text is refused: \(rule)")
    case .keySetInvalid(let rule): (.keySetInvalid, "the key set is refused: \(rule)")
    case .keyNotPrivate: (.keyNotPrivate, "the key has no private half to sign with")
    case .keyNotPublic(let member):
      (.keyNotPublic, "the key has \(member.quoted) where only a public key may be")
    case .claimMissing(let name): (.claimMissing, "the claim \(name.quoted) is demanded and is not there")
    case .claimType(let name, let expected): (.claimType, "the claim \(name.quoted) must be \(expected)")
    case .dateOutOfRange(let name):
      (.dateOutOfRange, "the claim \(name.quoted) is outside of the years 1 to 9999; its unit is seconds")
    case .expired(let at, let now): (.expired, "the token expired at \(at), \(at.relative(to: now))")
    case .notYetValid(let from, let now):
      (.notYetValid, "the token is valid only from \(from) on, in \(TimeSpan(from: now, to: from))")
    case .issuedInFuture(let at, let now):
      (.issuedInFuture, "the token was issued at \(at), \(TimeSpan(from: now, to: at)) in the future")
    case .issuerMismatch(let expected, let actual):
      (.issuerMismatch, "the issuer is \(actual.quoted(upTo: 128)) where \(expected.quotedList) is wanted")
    case .audienceMismatch(let expected, let actual):
      (
        .audienceMismatch,
        "the audience is \(actual.quotedList(upTo: 64)) where \(expected.quotedList(upTo: 64)) is wanted"
      )
    case .subjectMismatch(let expected, let actual):
      (.subjectMismatch, "the subject is \(actual.quoted) where \(expected.quotedList(upTo: 64)) is wanted")
    case .claimUnexpected(let name): (.claimUnexpected, "the claim \(name.quoted) is there and must not be")
    case .claimMismatch(let name, let expected, let actual):
      (
        .claimMismatch,
        "the claim \(name.quoted) is \(Self.list([actual])) where \(Self.list(expected)) is wanted"
      )
    case .lifetimeNegative(let life):
      (.lifetimeNegative, "the token ends \(life.wholeSeconds.magnitude) s before it begins")
    case .lifetimeTooLong(let life, let limit):
      (
        .lifetimeTooLong,
        "the token lives \(TimeSpan(life)) where at most \(TimeSpan(limit)) is allowed (\(life.wholeSeconds) s, \(limit.wholeSeconds) s)"
      )
    case .tooOld(let claim, let age, let limit):
      (
        .tooOld,
        "\(claim.quoted) is \(TimeSpan(age)) ago where at most \(TimeSpan(limit)) is allowed"
      )
    case .checkFailed(let name, let message):
      (.checkFailed, "the check \(name.quoted) refused: \(message.visible(upTo: 200))")
    case .ruleBroken(let refusal): (.ruleBroken, refusal.message.visible(upTo: 512))
    case .lifetimeRefused(let error): (.lifetimeRefused, "no token is issued: \(error)")
    case .policyInvalid(let rule): (.policyInvalid, rule)
    case .library(let function): (.library, "libcrypto failed in \(function)")
    }
  }

  private static func quoted(_ text: String?) -> String { text?.quoted ?? "without a name" }

  private static func list(_ values: [JSONValue]) -> String {
    values.map { $0.description.visible(upTo: 64) }.shortList
  }
}
