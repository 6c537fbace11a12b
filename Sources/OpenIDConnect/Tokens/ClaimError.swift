public import TokenSecurityEncodings
internal import JOSE

/// What a token did wrong, beyond the rules of JWT itself: in `JOSEError.ruleBroken` it is the refusal.
@nonexhaustive public enum ClaimError: CodedError, Hashable {
  /// A token of another kind than is wanted.
  case wrongKind(expected: TokenKind, actual: TokenKind)
  /// A token whose explicit type (`typ`) is that of another kind.
  case typeForeign(expected: TokenKind, actual: String)
  /// The header's `typ` does not say the kind that it must say.
  case typeMissing(expected: [String], actual: String?)
  /// A claim is not as its standard has it.
  case claimInvalid(name: String, rule: String)
  /// `sub` is not 1 to 255 ASCII characters.
  case subjectInvalid
  /// The token is for others too, who are not trusted.
  case audienceUntrusted(String)
  /// Several audiences, and no `azp` to say who asked.
  case authorizedPartyMissing
  /// `azp` is none of ours.
  case authorizedPartyMismatch(actual: String, expected: [String])
  /// There is no `nonce` although one was sent.
  case nonceMissing
  /// The `nonce` is not the one that was sent.
  case nonceMismatch
  /// There is a `nonce` although none was sent.
  case nonceUnexpected
  /// A hash that would tie the token to what came with it is not there.
  case hashMissing(name: String)
  /// The hash is of something else.
  case hashMismatch(name: String)
  /// No hash is defined for the token's algorithm.
  case hashUndefined(name: String, algorithm: String)
  /// The sign-in was not of the class that is wanted.
  case contextMismatch(actual: String?, expected: [String])
  /// The sign-in lacks a method that is wanted.
  case methodMissing(String)
  /// The client is none of those that are allowed.
  case clientMismatch(actual: String?, expected: [String])
  /// A scope is not there.
  case scopeMissing(String, actual: [String])
  /// A permission is not there.
  case permissionMissing(String, actual: [String])
  /// The user is in none of the groups.
  case groupMissing(expected: [String], actual: [String])
  /// A claim that a provider's profile demands has another value.
  case profileMismatch(name: String, actual: String?, expected: [String])
  /// The token's session has been revoked.
  case revoked
  /// `events` is not that of a logout token.
  case eventsInvalid
  /// Neither `sub` nor `sid`.
  case logoutSubjectMissing
  /// The token or proof has been used before.
  case replayed
  /// A proof is for another method or address.
  case proofMismatch(name: String, actual: String, expected: String)
  /// The proof's key cannot be used; the text is why.
  case proofKey(String)
  /// The access token is not bound to the proof's key.
  case notBound
  /// Who must not be a guest is one, or the other way round.
  case identityMismatch(isAuthenticated: Bool)
  /// The identity has not signed in with this provider.
  case providerMissing(expected: [String], actual: [String])

  /// A fault's stable code.
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
    case identityMismatch = "identity_mismatch"
    case providerMissing = "provider_missing"
  }

  /// The fault as a check tells it.
  var refusal: CheckRefusal { CheckRefusal(code: code.rawValue, message: description) }

  /// The fault as an error of the token.
  var error: OpenIDError { .token(.ruleBroken(refusal)) }
}

extension ClaimError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .wrongKind(let expected, let actual):
      (.wrongKind, "\(actual.withArticle) was given where \(expected.withArticle) is wanted")
    case .typeForeign(let expected, let actual):
      (.wrongKind, "a token of the type \(actual.quoted) was given where \(expected.withArticle) is wanted")
    case .typeMissing(let expected, let actual):
      (.typeMissing, "\"typ\" is \(actual?.quoted ?? "absent") where \(expected.quotedList) is wanted")
    case .claimInvalid(let name, let rule): (.claimInvalid, "the claim \(name.quoted) \(rule)")
    case .subjectInvalid: (.subjectInvalid, "\"sub\" is not 1 to 255 ASCII characters")
    case .audienceUntrusted(let name):
      (.audienceUntrusted, "the token is also for \(name.quoted), which is not trusted")
    case .authorizedPartyMissing:
      (.authorizedPartyMissing, "the token has several audiences and no \"azp\" to say who asked for it")
    case .authorizedPartyMismatch(let actual, let expected):
      (.authorizedPartyMismatch, "\"azp\" is \(actual.quoted) where \(expected.quotedList) is wanted")
    case .nonceMissing: (.nonceMissing, "the token has no \"nonce\", and one was sent")
    case .nonceMismatch: (.nonceMismatch, "\"nonce\" is not the one that was sent")
    case .nonceUnexpected: (.nonceUnexpected, "the token has a \"nonce\", and none must be there")
    case .hashMissing(let name):
      (.hashMissing, "the token has no \(name.quoted), which ties it to what came with it")
    case .hashMismatch(let name): (.hashMismatch, "\(name.quoted) is the hash of something else")
    case .hashUndefined(let name, let algorithm):
      (.hashUndefined, "no \(name.quoted) is defined for \(algorithm.quoted)")
    case .contextMismatch(let actual, let expected):
      (.contextMismatch, "\"acr\" is \(actual?.quoted ?? "absent") where \(expected.quotedList) is wanted")
    case .methodMissing(let name): (.methodMissing, "\"amr\" does not have \(name.quoted)")
    case .clientMismatch(let actual, let expected):
      (
        .clientMismatch,
        "the client is \(actual?.quoted ?? "not told") where \(expected.quotedList) is wanted"
      )
    case .scopeMissing(let name, let actual):
      (.scopeMissing, "the scope \(name.quoted) is missing; the token has \(actual.quotedList)")
    case .permissionMissing(let name, let actual):
      (.permissionMissing, "the permission \(name.quoted) is missing; the token has \(actual.quotedList)")
    case .groupMissing(let expected, let actual):
      (.groupMissing, "the groups are \(actual.quotedList); one of \(expected.quotedList) is wanted")
    case .profileMismatch(let name, let actual, let expected):
      (
        .profileMismatch,
        "\(name.quoted) is \(actual?.quoted ?? "absent") where \(expected.quotedList) is wanted"
      )
    case .revoked: (.revoked, "the session that the token comes from has been revoked")
    case .eventsInvalid: (.eventsInvalid, "\"events\" is not that of a logout token")
    case .logoutSubjectMissing: (.logoutSubjectMissing, "the logout token has neither \"sub\" nor \"sid\"")
    case .replayed: (.replayed, "the token has been used before")
    case .proofMismatch(let name, let actual, let expected):
      (.proofMismatch, "the proof's \(name.quoted) is \(actual.quoted) where \(expected.quoted) is wanted")
    case .proofKey(let reason): (.proofKey, "the proof's key is refused: \(reason)")
    case .notBound: (.notBound, "the access token is not bound to the key of the proof")
    case .identityMismatch(let isAuthenticated):
      (
        .identityMismatch,
        isAuthenticated
          ? "the identity has signed in, and a guest is wanted"
          : "the identity is a guest, and one that has signed in is wanted"
      )
    case .providerMissing(let expected, let actual):
      (.providerMissing, "signed in with \(actual.quotedList) where \(expected.quotedList) is wanted")
    }
  }
}
