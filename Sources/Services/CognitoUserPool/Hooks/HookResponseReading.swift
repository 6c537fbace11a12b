internal import TokenSecurityBase

// How each trigger's answer is read.

extension SignUpDecision {
  package init(_ answer: HookResponseMembers) throws(UserPoolError) {
    confirmsUser = try answer.flag("autoConfirmUser") ?? false
    verifiesEmail = try answer.flag("autoVerifyEmail") ?? false
    verifiesPhoneNumber = try answer.flag("autoVerifyPhone") ?? false
  }
}

extension NextChallenge {
  /// A response that says several things refuses first, then issues tokens.
  package init(_ answer: HookResponseMembers) throws(UserPoolError) {
    let (fails, issues) = (try answer.flag("failAuthentication"), try answer.flag("issueTokens"))
    let name = try answer.text("challengeName", limit: 128)
    if fails == true {
      self = .failAuthentication
    } else if issues == true {
      self = .issueTokens
    } else if let name, !name.isEmpty {
      self = .challenge(name)
    } else {
      throw answer.invalid(
        "challengeName", "is missing, and neither issueTokens nor failAuthentication is true")
    }
  }
}

extension CustomChallenge {
  /// Maximum size in bytes of the parameters together, which travel in a session.
  static let sizeLimit = 16_384

  package init(_ answer: HookResponseMembers) throws(UserPoolError) {
    publicParameters = try answer.textsByName("publicChallengeParameters") ?? [:]
    privateParameters = try answer.textsByName("privateChallengeParameters") ?? [:]
    metadata = try answer.text("challengeMetadata", limit: 2_048)
    for (name, texts) in [
      ("publicChallengeParameters", publicParameters), ("privateChallengeParameters", privateParameters),
    ] {
      let size = texts.reduce(0) { $0 + $1.key.text.utf8.count + $1.value.utf8.count }
      guard size <= Self.sizeLimit else {
        throw answer.invalid(name, "has more than \(Self.sizeLimit) bytes")
      }
    }
  }
}

extension TokenChanges {
  /// Nil where the function changes nothing.
  package init?(_ answer: HookResponseMembers, version: String) throws(UserPoolError) {
    guard version != "V1_0" else {
      guard let details = try answer.part("claimsOverrideDetails") else { return nil }
      // Claims of version 1 are texts.
      for (name, text) in try details.textsByName("claimsToAddOrOverride") ?? [:]
      where !ReservedClaims.contains(name.text, isAccessToken: false) {
        idToken.added[name] = .string(text)
      }
      idToken.suppressed = try ClaimChanges.suppressed(details, isAccessToken: false)
      groups = try TokenGroups(details.part("groupOverrideDetails"))
      try idToken.check(details)
      return
    }
    guard let details = try answer.part("claimsAndScopeOverrideDetails") else { return nil }
    if let part = try details.part("idTokenGeneration") {
      idToken = try ClaimChanges(part, isAccessToken: false)
    }
    if let part = try details.part("accessTokenGeneration") {
      accessToken = try ClaimChanges(part, isAccessToken: true)
      addedScopes = try part.texts("scopesToAdd") ?? []
      suppressedScopes = Set(try (part.texts("scopesToSuppress") ?? []).map { ExactString($0) })
      // A scope has no white space: it would be two.
      let isValid = addedScopes.allSatisfy { scope in
        !scope.isEmpty
          && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != UInt8(ascii: "\\") }
      }
      guard isValid, addedScopes.reduce(0, { $0 + $1.utf8.count }) <= ClaimChanges.sizeLimit else {
        throw part.invalid("scopesToAdd", "has a value that is not a scope, or too many")
      }
    }
    groups = try TokenGroups(details.part("groupOverrideDetails"))
  }
}

extension ClaimChanges {
  /// Maximum size of added claims in bytes.
  static let sizeLimit = 65_536
  /// Maximum number of names of suppressed claims.
  static let countLimit = 5_000

  fileprivate init(_ part: HookResponseMembers, isAccessToken: Bool) throws(UserPoolError) {
    for member in try part.values("claimsToAddOrOverride")
    where !ReservedClaims.contains(member.name, isAccessToken: isAccessToken) {
      added[ExactString(member.name)] = member.value
    }
    suppressed = try Self.suppressed(part, isAccessToken: isAccessToken)
    try check(part)
  }

  fileprivate static func suppressed(
    _ part: HookResponseMembers, isAccessToken: Bool
  ) throws(UserPoolError) -> Set<ExactString> {
    let names = try part.texts("claimsToSuppress") ?? []
    guard names.count <= countLimit else {
      throw part.invalid("claimsToSuppress", "has more than \(countLimit) names")
    }
    return Set(
      names.filter { !ReservedClaims.contains($0, isAccessToken: isAccessToken) }.map { ExactString($0) })
  }

  fileprivate func check(_ part: HookResponseMembers) throws(UserPoolError) {
    let size = added.reduce(0) { $0 + $1.key.text.utf8.count + JSONWriter.write($1.value).count }
    guard size <= Self.sizeLimit else {
      throw part.invalid("claimsToAddOrOverride", "has more than \(Self.sizeLimit) bytes")
    }
  }
}

extension TokenGroups {
  /// An empty object takes all groups away.
  fileprivate init?(_ part: HookResponseMembers?) throws(UserPoolError) {
    guard let part else { return nil }
    let (groups, roles) = (try part.texts("groupsToOverride"), try part.texts("iamRolesToOverride"))
    let preferred = try part.text("preferredRole", limit: 2_048)
    self.init(groups: groups ?? [], roles: roles ?? [], preferredRole: preferred)
    let size = (self.groups + self.roles).reduce(0) { $0 + $1.utf8.count }
    guard size <= ClaimChanges.sizeLimit else {
      throw part.invalid("groupOverrideDetails", "has more than \(ClaimChanges.sizeLimit) bytes")
    }
  }
}

extension MigratedUser {
  /// Nil where the function found no user.
  package init?(_ answer: HookResponseMembers) throws(UserPoolError) {
    guard let attributes = try answer.textsByName("userAttributes"), !attributes.isEmpty else { return nil }
    self.attributes = attributes
    if let name = try answer.text("finalUserStatus", limit: 64) {
      guard let status = UserStatus(name: name), status != .unconfirmed else {
        throw answer.invalid("finalUserStatus", "is \(name.quoted)")
      }
      self.status = status
    }
    // `messageAction` and `desiredDeliveryMediums` are about a welcome message, which this service does not send.
    forcesAliasCreation = try answer.flag("forceAliasCreation") ?? false
    enablesSMSFactor = try answer.flag("enableSMSMFA") ?? false
  }
}

extension CustomTexts {
  package init(_ answer: HookResponseMembers) throws(UserPoolError) {
    // Characters of at most four bytes.
    sms = try answer.text("smsMessage", limit: 4 * 140)
    email = try answer.text("emailMessage", limit: 4 * 20_000)
    emailSubject = try answer.text("emailSubject", limit: 4 * 140)
  }
}
