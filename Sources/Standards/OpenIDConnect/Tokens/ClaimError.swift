internal import JOSE
public import TokenSecurityBase

/// A rule of OpenID Connect, OAuth or a provider's profile that a token breaks. `JOSEError.ruleBroken`
/// carries it as a `CheckRefusal`.
@nonexhaustive public enum ClaimError: CodedError, Hashable {
  /// The token is of another kind than expected.
  case wrongKind(expected: TokenKind, actual: TokenKind)
  /// The token's explicit type (`typ`) belongs to another kind.
  case wrongType(expected: TokenKind, actual: String)
  /// The header's `typ` is not the required one.
  case typeMissing(expected: [String], actual: String?)
  /// A claim breaks a rule of its standard.
  case claimInvalid(name: String, rule: String)
  /// `sub` is not 1 to 255 ASCII characters.
  case subjectInvalid
  /// The token has an audience that is not trusted.
  case audienceUntrusted(String)
  /// The token has several audiences and no `azp`.
  case authorizedPartyMissing
  /// `azp` is not an accepted client.
  case authorizedPartyMismatch(actual: String, expected: [String])
  /// A `nonce` was sent, and the token has none.
  case nonceMissing
  /// The `nonce` is not the one that was sent.
  case nonceMismatch
  /// The token has a `nonce`, and none was sent.
  case nonceUnexpected
  /// A required hash (`at_hash`, `c_hash`, `ath`) is missing.
  case hashMissing(name: String)
  /// The hash does not match.
  case hashMismatch(name: String)
  /// No hash is defined for the token's algorithm.
  case hashUndefined(name: String, algorithm: String)
  /// The authentication context class (`acr`) is not accepted.
  case contextMismatch(actual: String?, expected: [String])
  /// A required authentication method (`amr`) is missing.
  case methodMissing(String)
  /// The client is not accepted.
  case clientMismatch(actual: String?, expected: [String])
  /// A required scope is missing.
  case scopeMissing(String, actual: [String])
  /// A required permission is missing.
  case permissionMissing(String, actual: [String])
  /// The user is in none of the expected groups.
  case groupMissing(expected: [String], actual: [String])
  /// A claim does not have the value that the provider's profile requires.
  case profileMismatch(name: String, actual: String?, expected: [String])
  /// The token's session has been revoked.
  case revoked
  /// `events` is not that of a logout token.
  case eventsInvalid
  /// A logout token has neither `sub` nor `sid`.
  case logoutSubjectMissing
  /// The token or proof has been used before.
  case replayed
  /// The proof is for another method or URL.
  case proofMismatch(name: String, actual: String, expected: String)
  /// The proof's key cannot be used, for this reason.
  case proofKey(String)
  /// The access token is not bound to the proof's key.
  case notBound
  /// The token is bound to another certificate of a TLS client, or to none.
  case certificateMismatch
  /// The identity is a guest and must not be one, or the reverse.
  case identityMismatch(isAuthenticated: Bool)
  /// The identity has not signed in with an expected provider.
  case providerMissing(expected: [String], actual: [String])

  /// An error's stable code.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case wrongKind = "wrong_token_kind"
    case typeMissing = "typ_missing"
    case claimInvalid = "claim_invalid"
    case subjectInvalid = "sub_invalid"
    case audienceUntrusted = "aud_untrusted"
    case authorizedPartyMissing = "azp_missing"
    case authorizedPartyMismatch = "azp_mismatch"
    case nonceMissing = "nonce_missing"
    case nonceMismatch = "nonce_mismatch"
    case nonceUnexpected = "nonce_unexpected"
    case hashMissing = "hash_missing"
    case hashMismatch = "hash_mismatch"
    case hashUndefined = "hash_undefined"
    case contextMismatch = "acr_mismatch"
    case methodMissing = "amr_missing"
    case clientMismatch = "client_mismatch"
    case scopeMissing = "scope_missing"
    case permissionMissing = "permission_missing"
    case groupMissing = "group_missing"
    case profileMismatch = "profile_mismatch"
    case revoked = "token_revoked"
    case eventsInvalid = "events_invalid"
    case logoutSubjectMissing = "logout_subject_missing"
    case replayed = "replayed"
    case proofMismatch = "proof_mismatch"
    case proofKey = "proof_key"
    case notBound = "not_bound"
    case certificateMismatch = "client_certificate_mismatch"
    case identityMismatch = "identity_mismatch"
    case providerMissing = "provider_missing"
  }

  /// The error as the refusal of a check.
  var refusal: CheckRefusal { CheckRefusal(code: code.rawValue, message: description) }

  /// The error as an error of the token.
  var error: OpenIDError { .token(.ruleBroken(refusal)) }
}

extension JOSEError {
  /// The error as the refusal of a check.
  var refusal: CheckRefusal { CheckRefusal(code: codeText, message: description) }
}

extension ClaimError {
  /// The code and the message of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .wrongKind(let expected, let actual):
      (.wrongKind, "this is \(actual.withArticle); expected: \(expected.withArticle)")
    case .wrongType(let expected, let actual):
      (.wrongKind, "this is a token of the type \(actual.quoted); expected: \(expected.withArticle)")
    case .typeMissing(let expected, let actual): (.typeMissing, Self.mismatch("typ", actual, expected))
    case .claimInvalid(let name, let rule): (.claimInvalid, "the claim \(name.quoted) \(rule)")
    case .subjectInvalid: (.subjectInvalid, "\"sub\" is not 1 to 255 ASCII characters")
    case .audienceUntrusted(let name):
      (.audienceUntrusted, "the token has the audience \(name.quoted), which is not trusted")
    case .authorizedPartyMissing:
      (.authorizedPartyMissing, "the token has several audiences and no \"azp\"")
    case .authorizedPartyMismatch(let actual, let expected):
      (.authorizedPartyMismatch, Self.mismatch("azp", actual, expected))
    case .nonceMissing: (.nonceMissing, "the token has no \"nonce\", and one was sent")
    case .nonceMismatch: (.nonceMismatch, "\"nonce\" is not the one that was sent")
    case .nonceUnexpected: (.nonceUnexpected, "the token has a \"nonce\", and must not have one")
    case .hashMissing(let name): (.hashMissing, "the token has no \(name.quoted), which is required")
    case .hashMismatch(let name): (.hashMismatch, "\(name.quoted) does not match")
    case .hashUndefined(let name, let algorithm):
      (.hashUndefined, "\(name.quoted) is not defined for the algorithm \(algorithm.quoted)")
    case .contextMismatch(let actual, let expected):
      (.contextMismatch, Self.mismatch("acr", actual, expected))
    case .methodMissing(let name): (.methodMissing, "\"amr\" does not contain \(name.quoted)")
    case .clientMismatch(let actual, let expected):
      (.clientMismatch, "the client is \(actual?.quoted ?? "absent"); expected: \(expected.quotedList)")
    case .scopeMissing(let name, let actual):
      (.scopeMissing, "the scope \(name.quoted) is missing; the token has \(actual.quotedList)")
    case .permissionMissing(let name, let actual):
      (.permissionMissing, "the permission \(name.quoted) is missing; the token has \(actual.quotedList)")
    case .groupMissing(let expected, let actual):
      (.groupMissing, "the groups are \(actual.quotedList); expected: one of \(expected.quotedList)")
    case .profileMismatch(let name, let actual, let expected):
      (.profileMismatch, Self.mismatch(name, actual, expected))
    case .revoked: (.revoked, "the token's session has been revoked")
    case .eventsInvalid: (.eventsInvalid, "\"events\" is not that of a logout token")
    case .logoutSubjectMissing: (.logoutSubjectMissing, "the logout token has neither \"sub\" nor \"sid\"")
    case .replayed: (.replayed, "the token has been used before")
    case .proofMismatch(let name, let actual, let expected):
      (.proofMismatch, "the proof's \(name.quoted) is \(actual.quoted); expected: \(expected.quoted)")
    case .proofKey(let reason): (.proofKey, "the proof's key is refused: \(reason)")
    case .notBound: (.notBound, "the access token is not bound to the proof's key")
    case .certificateMismatch:
      (.certificateMismatch, "the token is not bound to the client's certificate (RFC 8705 section 3)")
    case .identityMismatch(let isAuthenticated):
      (
        .identityMismatch,
        isAuthenticated
          ? "the identity has signed in; expected: a guest"
          : "the identity is a guest; expected: one that signed in"
      )
    case .providerMissing(let expected, let actual):
      (.providerMissing, "signed in with \(actual.quotedList); expected: \(expected.quotedList)")
    }
  }

  private static func mismatch(_ name: String, _ actual: String?, _ expected: [String]) -> String {
    "\(name.quoted) is \(actual?.quoted ?? "absent"); expected: \(expected.quotedList)"
  }
}
