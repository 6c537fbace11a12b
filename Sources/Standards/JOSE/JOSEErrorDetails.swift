internal import TokenSecurityBase

extension JOSEError {
  /// The code and the sentence of the error.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .tokenEmpty: (.tokenEmpty, "the token is empty")
    case .tokenTooLarge(nil, let limit):
      (.tokenTooLarge, "the token has more than \(limit) bytes, the maximum")
    case .tokenTooLarge(let size?, let limit):
      (.tokenTooLarge, "the token has \(size) bytes; at most \(limit) are allowed")
    case .partTooLarge(let part, let size, let limit):
      (.partTooLarge, "the \(part.rawValue) has \(size) characters; at most \(limit) are allowed")
    case .byteOrderMark: (.byteOrderMark, "the token begins with a UTF-8 byte order mark")
    case .notCompact(5):
      (.notCompact, "the token has five parts, like an encrypted token (JWE); a signed token (JWS) has three")
    case .notCompact(let parts):
      (.notCompact, "a compact JWS has exactly three parts separated by dots; this one has \(parts)")
    case .whiteSpace(let part, let offset):
      (.whiteSpace, "the \(part.rawValue) has white space at character \(offset), which base64url forbids")
    case .alphabet(let part, let offset):
      (.alphabet, "the \(part.rawValue) has a character outside the base64url alphabet at \(offset)")
    case .padding(let part):
      (.padding, "the \(part.rawValue) is padded with \"=\", which RFC 7515 section 2 forbids")
    case .encodedLength(let part, let count):
      (
        .encodedLength,
        "the \(part.rawValue) has \(count) characters, a length that base64url text cannot have"
      )
    case .trailingBits(let part):
      (.trailingBits, "the last character of the \(part.rawValue) has unused bits that are not zero")
    case .json(let part, let error): (.json, "the \(part.rawValue) is not valid JSON: \(error)")
    case .notAnObject(let part, let actual):
      (.notAnObject, "the \(part.rawValue) must be a JSON object and is \(actual)")
    case .serialization(let rule): (.serialization, "the JSON serialisation is not valid: \(rule)")
    case .payloadPlacement(.attached):
      (
        .payloadPlacement,
        "the payload is missing; one that is sent separately needs the method for detached payloads"
      )
    case .payloadPlacement(.detached):
      (.payloadPlacement, "the JWS contains a payload; a detached one is expected")
    case .algorithmMissing: (.algorithmMissing, "the header has no \"alg\"")
    case .algorithmNone(let name):
      (.algorithmNone, "\"alg\" is \(name.quoted): a token without a signature is never accepted")
    case .algorithmUnknown(let name):
      (.algorithmUnknown, "\"alg\" is \(name.quoted), which is not a known signature algorithm")
    case .algorithmNotAllowed(let algorithm, let allowed):
      (
        .algorithmNotAllowed,
        "\"alg\" is \(algorithm.name); only \(allowed.map(\.name).shortList) is allowed"
      )
    case .algorithmUnprotected:
      (.algorithmUnprotected, "\"alg\" is in the unprotected header, where anyone can change it")
    case .headerParameterType(let name, let expected):
      (.headerParameterType, "the header's \(name.quoted) must be \(expected)")
    case .headerKeySource(let name):
      (.headerKeySource, "the header has \(name.quoted), and a token must not contain or name its own key")
    case .headerEncryption(let name):
      (.headerEncryption, "the header has \(name.quoted), which belongs to encrypted tokens")
    case .criticalEmpty: (.criticalEmpty, "\"crit\" is an empty list, which RFC 7515 section 4.1.11 forbids")
    case .criticalDuplicate(let name): (.criticalDuplicate, "\"crit\" names \(name.quoted) twice")
    case .criticalAbsent(let name):
      (.criticalAbsent, "\"crit\" names \(name.quoted), which the protected header does not have")
    case .criticalNotUnderstood(let name):
      (.criticalNotUnderstood, "\"crit\" names \(name.quoted), which is not understood")
    case .criticalUnprotected:
      (.criticalUnprotected, "\"crit\" is in the unprotected header, where anyone can change it")
    case .unencodedNotCritical:
      (.unencodedNotCritical, "the header has \"b64\" and does not name it in \"crit\" (RFC 7797 section 6)")
    case .unencodedPayload:
      (.unencodedPayload, "\"b64\" is false, which is not allowed here (RFC 7797 section 7)")
    case .payloadEncoded:
      (.payloadEncoded, "\"b64\" is not false, and the payload is expected unencoded")
    case .typeMismatch(let expected, let actual):
      (
        .typeMismatch,
        "\"typ\" is \(actual?.quoted ?? "absent"); expected: \(expected.quotedList(upTo: 64))"
      )
    case .signatureLength(let expected, let actual):
      (.signatureLength, "the signature has \(actual) bytes; this key and algorithm make \(expected)")
    case .signatureRange: (.signatureRange, "the signature's r or s is not between 1 and the curve's order")
    case .signatureSaltLength(let expected, let actual):
      (
        .signatureInvalid,
        "the signature is not valid: its salt has \(actual) bytes; this algorithm requires \(expected) (RFC 7518 section 3.5)"
      )
    case .signatureInvalid:
      (.signatureInvalid, "the signature is not valid for this header, payload and key")
    case .signaturesMissing(let valid, let expected):
      (.signaturesMissing, "the JWS has \(valid) valid signatures; required: \(expected)")
    case .keyNotFound(let kid?, let algorithm):
      (.keyNotFound, "no key for \(algorithm.name) has the token's \"kid\" \(kid.quoted)")
    case .keyNotFound(nil, let algorithm):
      (.keyNotFound, "the token has no \"kid\", and no key fits \(algorithm.name)")
    case .keyAmbiguous(let count, let limit):
      (
        .keyAmbiguous,
        "\(count) keys fit the token, and at most \(limit) are tried: no \"kid\" tells them apart, because the token or the keys have none, or the keys the same"
      )
    case .keyTypeMismatch(let kid, let algorithm):
      (.keyTypeMismatch, "the key \(Self.quoted(kid)) has a type that does not fit \(algorithm.name)")
    case .keyAlgorithmMismatch(let kid, let other, let algorithm):
      (
        .keyAlgorithmMismatch,
        "the key \(Self.quoted(kid)) is for \(other.quoted), the token has \(algorithm.name)"
      )
    case .keyUseMismatch(let kid, let use):
      (.keyUseMismatch, "the key \(Self.quoted(kid)) has \"use\" \(use.quoted) and is not for signatures")
    case .keyOperationMismatch(let kid, let operation):
      (.keyOperationMismatch, "\"key_ops\" of the key \(Self.quoted(kid)) do not include \(operation.quoted)")
    case .keyOperationsInvalid(let rule):
      (.keyOperationsInvalid, "the key's \"key_ops\" are not valid: \(rule)")
    case .keyTypeUnknown(let type): (.keyTypeUnknown, "the key type \(type.quoted) is unknown")
    case .curveUnknown(let curve): (.curveUnknown, "the curve \(curve.quoted) is unknown")
    case .keyMemberMissing(let name): (.keyMemberMissing, "the key has no \(name.quoted)")
    case .keyMemberInvalid(let name): (.keyMemberInvalid, "the key's \(name.quoted) is malformed")
    case .keyMemberLength(let name, let expected, let actual):
      (.keyMemberLength, "the key's \(name.quoted) has \(actual) bytes; \(expected) are needed")
    case .rsaModulusSize(let bits, let allowed):
      (
        .rsaModulusSize,
        "the RSA modulus has \(bits) bits; \(allowed.lowerBound) to \(allowed.upperBound) are allowed"
      )
    case .rsaModulusEven: (.rsaModulusEven, "the RSA modulus is even")
    case .rsaModulusROCA:
      (.rsaModulusROCA, "the RSA modulus has a structure that can be factored (ROCA, CVE-2017-15361)")
    case .rsaExponent: (.rsaExponent, "the RSA exponent is even, below 3 or above 33 bits")
    case .rsaPrivateNumberSize(let bits, let limit):
      (.rsaPrivateNumberSize, "a private number of the RSA key has \(bits) bits; the modulus has \(limit)")
    case .pointInvalid:
      (.pointInvalid, "the key's point is not on its curve, has small order, or is not canonical")
    case .keyPairMismatch: (.keyPairMismatch, "the private key does not belong to the public key")
    case .hmacKeyTooShort(let bits, let minimum):
      (.hmacKeyTooShort, "the secret has \(bits) bits; this HMAC needs \(minimum) (RFC 7518 section 3.2)")
    case .hmacKeyIsKeyFile:
      (
        .hmacKeyIsKeyFile,
        "the secret is a PEM, DER or JWK key; with a public key as secret anyone could sign"
      )
    case .certificateMismatch: (.certificateMismatch, "\"x5c\" is malformed or for another key")
    case .certificateThumbprintMismatch:
      (.certificateThumbprintMismatch, "\"x5t#S256\" is not the SHA-256 of the first \"x5c\" certificate")
    case .keyUnreadable: (.keyUnreadable, "this is not a key in PEM, DER, JWK or JWK set form")
    case .keyNotDER(let rule): (.keyNotDER, "the key is not in DER: \(rule)")
    case .keyTrailingData: (.keyTrailingData, "the key is followed by other bytes")
    case .keyEncrypted: (.keyEncrypted, "the key is encrypted; decrypt it first")
    case .pem(let rule): (.pem, "the PEM text is not valid: \(rule)")
    case .keySetInvalid(let rule): (.keySetInvalid, "the key set is not valid: \(rule)")
    case .keyNotPrivate: (.keyNotPrivate, "the key has no private half to sign with")
    case .keyNotPublic(let member):
      (.keyNotPublic, "the key has \(member.quoted); only a public key is allowed")
    case .keyFileUnusable(let reason): (.keyFileUnusable, "the file of keys cannot be used: \(reason)")
    case .claimMissing(let name): (.claimMissing, "the required claim \(name.quoted) is missing")
    case .claimType(let name, let expected): (.claimType, "the claim \(name.quoted) must be \(expected)")
    case .dateOutOfRange(let name):
      (.dateOutOfRange, "the claim \(name.quoted) is outside the years 1 to 9999; its unit is seconds")
    case .expired(let at, let now): (.expired, "the token expired at \(at), \(at.relative(to: now))")
    case .notYetValid(let from, let now):
      (.notYetValid, "the token is not valid before \(from), in \(TimeSpan(from: now, to: from))")
    case .issuedInFuture(let at, let now):
      (.issuedInFuture, "the token was issued at \(at), \(TimeSpan(from: now, to: at)) in the future")
    case .issuerMismatch(let expected, let actual):
      (.issuerMismatch, "the issuer is \(actual.quoted(upTo: 128)); expected: \(expected.quotedList)")
    case .audienceMismatch(let expected, let actual):
      (
        .audienceMismatch,
        "the audience is \(actual.quotedList(upTo: 64)); expected: \(expected.quotedList(upTo: 64))"
      )
    case .subjectMismatch(let expected, let actual):
      (.subjectMismatch, "the subject is \(actual.quoted); expected: \(expected.quotedList(upTo: 64))")
    case .tokenBound(let methods, let accepted):
      (
        .tokenBound,
        "the token is bound to a key of its sender (\"cnf\") by \(methods.quotedList(upTo: 64)); "
          + (accepted.isEmpty
            ? "no method is checked here" : "checked here: \(accepted.quotedList(upTo: 64))")
      )
    case .tokenDelegated(let actor, let accepted):
      (
        .tokenDelegated,
        "\(actor.map { $0.quoted(upTo: 64) } ?? "an actor without a name") acts for the token's subject (\"act\"); "
          + (accepted.isEmpty
            ? "no actor is accepted" : "accepted, of the token's issuer: \(accepted.quotedList(upTo: 64))")
      )
    case .claimUnexpected(let name): (.claimUnexpected, "\(name.quoted) is present and must be absent")
    case .claimMismatch(let name, let expected, let actual):
      (
        .claimMismatch,
        "the claim \(name.quoted) is \(Self.list([actual])); expected: \(Self.list(expected))"
      )
    case .lifetimeNegative(let life):
      (.lifetimeNegative, "the token expires \(life.wholeSeconds.magnitude) s before it was issued")
    case .lifetimeTooLong(let life, let limit):
      (
        .lifetimeTooLong,
        "the lifetime is \(TimeSpan(life)) (\(life.wholeSeconds) s); at most \(TimeSpan(limit)) (\(limit.wholeSeconds) s) is allowed"
      )
    case .tooOld(let claim, let age, let limit):
      (
        .tooOld,
        "\(claim.quoted) is \(TimeSpan(age)) ago; at most \(TimeSpan(limit)) is allowed"
      )
    case .checkFailed(let name, let message):
      (.checkFailed, "the check \(name.quoted) refused: \(message.visible(upTo: 200))")
    case .ruleBroken(let refusal): (.ruleBroken, refusal.message.visible(upTo: 512))
    case .lifetimeRefused(let error): (.lifetimeRefused, "the token cannot be issued: \(error)")
    case .policyInvalid(let rule): (.policyInvalid, rule)
    case .library(let function): (.library, "libcrypto failed in \(function)")
    }
  }

  private static func quoted(_ text: String?) -> String { text?.quoted ?? "without a name" }

  private static func list(_ values: [JSONValue]) -> String {
    values.map { $0.description.visible(upTo: 64) }.shortList
  }
}
