internal import TokenSecurityEncodings
internal import JOSE

/// What a token did wrong, beyond the rules of JWT itself: in `JOSEError.ruleBroken` it is the refusal.
public enum ClaimFault: Error, Hashable, Sendable {
  /// A token of another kind than is wanted.
  case wrongKind(wanted: TokenKind, found: TokenKind)
  /// A token whose explicit type (`typ`) is that of another kind.
  case typeForeign(wanted: TokenKind, found: String)
  /// The header's `typ` does not say the kind that it must say.
  case typeMissing(wanted: [String], found: String?)
  /// A claim is not as its standard has it.
  case claimInvalid(name: String, rule: String)
  /// `sub` is not 1 to 255 ASCII characters.
  case subjectInvalid
  /// The token is for others too, who are not trusted.
  case audienceUntrusted(String)
  /// Several audiences, and no `azp` to say who asked.
  case authorizedPartyMissing
  /// `azp` is none of ours.
  case authorizedPartyMismatch(found: String, expected: [String])
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
  case contextMismatch(found: String?, expected: [String])
  /// The sign-in lacks a method that is wanted.
  case methodMissing(String)
  /// The client is none of those that are allowed.
  case clientMismatch(found: String?, expected: [String])
  /// A scope is not there.
  case scopeMissing(String, found: [String])
  /// A permission is not there.
  case permissionMissing(String, found: [String])
  /// The user is in none of the groups.
  case groupMissing(expected: [String], found: [String])
  /// A claim that a provider's profile demands has another value.
  case profileMismatch(name: String, found: String?, expected: [String])
  /// The token's session has been revoked.
  case revoked
  /// `events` is not that of a logout token.
  case eventsInvalid
  /// Neither `sub` nor `sid`.
  case logoutSubjectMissing
  /// The token or proof has been used before.
  case replayed
  /// A proof is for another method or address.
  case proofMismatch(name: String, found: String, expected: String)
  /// The proof's key cannot be used; the text is why.
  case proofKey(String)
  /// The access token is not bound to the proof's key.
  case notBound
  /// Who must not be a guest is one, or the other way round.
  case identityMismatch(isAuthenticated: Bool)
  /// The identity has not signed in with this provider.
  case providerMissing(expected: [String], found: [String])

  /// A fault's stable code.
  public enum Code: String, Sendable, Hashable, CaseIterable {
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

  /// The stable code of this fault.
  public var code: Code {
    switch self {
    case .wrongKind, .typeForeign: .wrongKind
    case .typeMissing: .typeMissing
    case .claimInvalid: .claimInvalid
    case .subjectInvalid: .subjectInvalid
    case .audienceUntrusted: .audienceUntrusted
    case .authorizedPartyMissing: .authorizedPartyMissing
    case .authorizedPartyMismatch: .authorizedPartyMismatch
    case .nonceMissing: .nonceMissing
    case .nonceMismatch: .nonceMismatch
    case .nonceUnexpected: .nonceUnexpected
    case .hashMissing: .hashMissing
    case .hashMismatch: .hashMismatch
    case .hashUndefined: .hashUndefined
    case .contextMismatch: .contextMismatch
    case .methodMissing: .methodMissing
    case .clientMismatch: .clientMismatch
    case .scopeMissing: .scopeMissing
    case .permissionMissing: .permissionMissing
    case .groupMissing: .groupMissing
    case .profileMismatch: .profileMismatch
    case .revoked: .revoked
    case .eventsInvalid: .eventsInvalid
    case .logoutSubjectMissing: .logoutSubjectMissing
    case .replayed: .replayed
    case .proofMismatch: .proofMismatch
    case .proofKey: .proofKey
    case .notBound: .notBound
    case .identityMismatch: .identityMismatch
    case .providerMissing: .providerMissing
    }
  }

  /// The fault as a check tells it.
  var refusal: CheckRefusal { CheckRefusal(code: code.rawValue, message: description) }

  /// The fault as an error of the token.
  var error: OpenIDError { .token(.ruleBroken(refusal)) }
}

extension ClaimFault: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it. Nonces and hashes are not told.
  public var description: String {
    switch self {
    case .wrongKind(let wanted, let found):
      "\(found.withArticle) was given where \(wanted.withArticle) is wanted"
    case .typeForeign(let wanted, let found):
      "a token of the type \(found.quoted) was given where \(wanted.withArticle) is wanted"
    case .typeMissing(let wanted, let found):
      "\"typ\" is \(found?.quoted ?? "absent") where \(OpenIDError.list(wanted)) is wanted"
    case .claimInvalid(let name, let rule): "the claim \(name.quoted) \(rule)"
    case .subjectInvalid: "\"sub\" is not 1 to 255 ASCII characters"
    case .audienceUntrusted(let name): "the token is also for \(name.quoted), which is not trusted"
    case .authorizedPartyMissing: "the token has several audiences and no \"azp\" to say who asked for it"
    case .authorizedPartyMismatch(let found, let expected):
      "\"azp\" is \(found.quoted) where \(OpenIDError.list(expected)) is wanted"
    case .nonceMissing: "the token has no \"nonce\", and one was sent"
    case .nonceMismatch: "\"nonce\" is not the one that was sent"
    case .nonceUnexpected: "the token has a \"nonce\", and none must be there"
    case .hashMissing(let name): "the token has no \(name.quoted), which ties it to what came with it"
    case .hashMismatch(let name): "\(name.quoted) is the hash of something else"
    case .hashUndefined(let name, let algorithm): "no \(name.quoted) is defined for \(algorithm.quoted)"
    case .contextMismatch(let found, let expected):
      "\"acr\" is \(found?.quoted ?? "absent") where \(OpenIDError.list(expected)) is wanted"
    case .methodMissing(let name): "\"amr\" does not have \(name.quoted)"
    case .clientMismatch(let found, let expected):
      "the client is \(found?.quoted ?? "not told") where \(OpenIDError.list(expected)) is wanted"
    case .scopeMissing(let name, let found):
      "the scope \(name.quoted) is missing; the token has \(OpenIDError.list(found))"
    case .permissionMissing(let name, let found):
      "the permission \(name.quoted) is missing; the token has \(OpenIDError.list(found))"
    case .groupMissing(let expected, let found):
      "the user is in none of the groups \(OpenIDError.list(expected)); the token has \(OpenIDError.list(found))"
    case .profileMismatch(let name, let found, let expected):
      "\(name.quoted) is \(found?.quoted ?? "absent") where \(OpenIDError.list(expected)) is wanted"
    case .revoked: "the session that the token comes from has been revoked"
    case .eventsInvalid: "\"events\" is not that of a logout token"
    case .logoutSubjectMissing: "the logout token has neither \"sub\" nor \"sid\""
    case .replayed: "the token has been used before"
    case .proofMismatch(let name, let found, let expected):
      "the proof's \(name.quoted) is \(found.quoted) where \(expected.quoted) is wanted"
    case .proofKey(let reason): "the proof's key is refused: \(reason)"
    case .notBound: "the access token is not bound to the key of the proof"
    case .identityMismatch(let isAuthenticated):
      isAuthenticated
        ? "the identity has signed in, and a guest is wanted"
        : "the identity is a guest, and one that has signed in is wanted"
    case .providerMissing(let expected, let found):
      "the identity has not signed in with \(OpenIDError.list(expected)); it has with \(OpenIDError.list(found))"
    }
  }
}
