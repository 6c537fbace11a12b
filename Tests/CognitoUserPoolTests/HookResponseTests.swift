internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// Responses of functions.
@Suite struct HookResponseTests {
  private func answer(
    _ trigger: HookTrigger, _ response: String
  ) throws(UserPoolError) -> HookResponseMembers {
    try HookResponseMembers(trigger, Array(#"{"version": "1", "response": \#(response)}"#.utf8))
  }

  private func invalid(_ trigger: HookTrigger, _ rule: String) -> UserPoolError {
    .hookResponseInvalid(trigger: trigger.rawValue.text, rule: rule)
  }

  @Test(arguments: [
    ("", "the JSON text is empty"), ("null", "it is null, not an object"),
    ("[]", "it is an array, not an object"),
    ("{}", "it is not the event with its member response"),
    (#"{"response": null}"#, "it is not the event with its member response"),
    (#"{"response": []}"#, "it is not the event with its member response"),
    (#"{"response": {}} x"#, "the JSON value is followed by other text at byte 17"),
    (#"{"response": {}, "response": {}}"#, #"the name "response" occurs twice in one object, at byte 17"#),
  ])
  func anotherTextIsRefused(text: String, rule: String) {
    #expect(throws: invalid(.preSignUp, rule)) { try HookResponseMembers(.preSignUp, Array(text.utf8)) }
  }

  @Test func aLargeResponseIsRefused() {
    let text = #"{"response": {}, "x": "\#(String(repeating: "x", count: HookResponse.sizeLimit))"}"#
    let rule = "the JSON text has \(text.utf8.count) bytes; at most \(HookResponse.sizeLimit) are allowed"
    #expect(throws: invalid(.preSignUp, rule)) { try HookResponseMembers(.preSignUp, Array(text.utf8)) }
  }

  @Test func aFailureHasItsText() {
    let long = String(repeating: "x", count: 2_000)
    for (text, shown) in [
      ("no", "no"), ("a\\nb", "a\\u{a}b"), (long, String(repeating: "x", count: 1_024) + "…"),
    ] {
      let json = #"{"errorMessage": "\#(text)", "errorType": "Error", "trace": []}"#
      #expect(throws: UserPoolError.hookRefused(trigger: "PreSignUp", text: shown)) {
        try HookResponseMembers(.preSignUp, Array(json.utf8))
      }
    }
  }

  @Test func preSignUp() throws {
    #expect(try SignUpDecision(answer(.preSignUp, "{}")) == SignUpDecision())
    let decision = try SignUpDecision(
      answer(.preSignUp, #"{"autoConfirmUser": true, "autoVerifyEmail": null, "autoVerifyPhone": true}"#))
    #expect(decision.confirmsUser && !decision.verifiesEmail && decision.verifiesPhoneNumber)
    for value in [#""true""#, "1", "[]"] {
      #expect(throws: invalid(.preSignUp, "autoConfirmUser is not true or false")) {
        try SignUpDecision(answer(.preSignUp, #"{"autoConfirmUser": \#(value)}"#))
      }
    }
  }

  @Test func defineAuthChallenge() throws {
    func next(_ response: String) throws(UserPoolError) -> NextChallenge {
      try NextChallenge(answer(.defineAuthChallenge, response))
    }
    #expect(
      try next(#"{"challengeName": "CUSTOM_CHALLENGE", "issueTokens": false, "failAuthentication": false}"#)
        == .challenge("CUSTOM_CHALLENGE"))
    #expect(try next(#"{"issueTokens": true, "failAuthentication": false}"#) == .issueTokens)
    // Whatever else the response says.
    #expect(try next(#"{"issueTokens": true, "failAuthentication": true}"#) == .failAuthentication)
    #expect(try next(#"{"challengeName": "X", "issueTokens": true}"#) == .issueTokens)
    let missing = "challengeName is missing, and neither issueTokens nor failAuthentication is true"
    for response in ["{}", #"{"challengeName": ""}"#, #"{"challengeName": null, "issueTokens": false}"#] {
      #expect(throws: invalid(.defineAuthChallenge, missing)) { try next(response) }
    }
    #expect(throws: invalid(.defineAuthChallenge, "challengeName has more than 128 bytes")) {
      try next(#"{"challengeName": "\#(String(repeating: "x", count: 129))"}"#)
    }
  }

  @Test func createAuthChallenge() throws {
    let challenge = try CustomChallenge(
      answer(
        .createAuthChallenge,
        #"{"publicChallengeParameters": {"question": "1+1", "tries": 3, "last": false, "none": null}, "privateChallengeParameters": {"answer": "2"}, "challengeMetadata": "SUM"}"#
      ))
    #expect(challenge.publicParameters == ["question": "1+1", "tries": "3", "last": "false"])
    #expect(challenge.privateParameters == ["answer": "2"])
    #expect(challenge.metadata == "SUM")
    #expect(
      throws: invalid(
        .createAuthChallenge, #"publicChallengeParameters has the member "a", which is not a text"#)
    ) {
      try CustomChallenge(answer(.createAuthChallenge, #"{"publicChallengeParameters": {"a": []}}"#))
    }
    let long = String(repeating: "x", count: 16_384)
    #expect(throws: invalid(.createAuthChallenge, "privateChallengeParameters has more than 16384 bytes")) {
      try CustomChallenge(answer(.createAuthChallenge, #"{"privateChallengeParameters": {"a": "\#(long)"}}"#))
    }
  }

  /// The claims that no hook can change.
  static let reserved = [
    "acr", "amr", "aud", "at_hash", "auth_time", "azp", "cognito:username", "exp", "iat", "identities", "iss",
    "jti", "nbf", "nonce", "origin_jti", "sub", "token_use",
  ]

  @Test func tokensKeepReservedClaims() throws {
    let added = (Self.reserved + ["tier"]).map { #""\#($0)": "x""# }.joined(separator: ",")
    let suppressed = (Self.reserved + ["email"]).map { #""\#($0)""# }.joined(separator: ",")
    let part = #"{"claimsToAddOrOverride": {\#(added)}, "claimsToSuppress": [\#(suppressed)]}"#
    let first = try #require(
      try TokenChanges(
        answer(.preTokenGeneration, #"{"claimsOverrideDetails": \#(part)}"#), version: "V1_0"))
    #expect(first.idToken.added == ["tier": "x"])
    #expect(first.idToken.suppressed == ["email"])
    #expect(first.accessToken == ClaimChanges())
    let second = try #require(
      try TokenChanges(
        answer(
          .preTokenGeneration,
          #"{"claimsAndScopeOverrideDetails": {"idTokenGeneration": \#(part), "accessTokenGeneration": \#(part)}}"#
        ), version: "V2_0"))
    for changes in [second.idToken, second.accessToken] {
      #expect(changes.added == ["tier": "x"])
      #expect(changes.suppressed == ["email"])
    }
    for name in ["client_id", "username", "scope", "device_key", "event_id", "version", "cognito:groups"] {
      let other = try TokenChanges(
        answer(
          .preTokenGeneration,
          #"{"claimsAndScopeOverrideDetails": {"accessTokenGeneration": {"claimsToAddOrOverride": {"\#(name)": "x"}}}}"#
        ), version: "V2_0")
      #expect(other?.accessToken.added.isEmpty == true)
    }
  }

  @Test func claimsOfVersion1AreTexts() throws {
    let changes = try #require(
      try TokenChanges(
        answer(
          .preTokenGeneration,
          #"{"claimsOverrideDetails": {"claimsToAddOrOverride": {"a": "1", "b": 2, "c": true, "d": null}}}"#),
        version: "V1_0"))
    #expect(changes.idToken.added == ["a": "1", "b": "2", "c": "true"])
    #expect(changes.groups == nil)
    #expect(
      throws: invalid(.preTokenGeneration, #"claimsToAddOrOverride has the member "a", which is not a text"#)
    ) {
      try TokenChanges(
        answer(.preTokenGeneration, #"{"claimsOverrideDetails": {"claimsToAddOrOverride": {"a": {}}}}"#),
        version: "V1_0")
    }
    for response in ["{}", #"{"claimsOverrideDetails": null}"#] {
      #expect(try TokenChanges(answer(.preTokenGeneration, response), version: "V1_0") == nil)
    }
  }

  @Test func claimsOfVersion2AreValues() throws {
    let changes = try #require(
      try TokenChanges(
        answer(
          .preTokenGeneration,
          #"{"claimsAndScopeOverrideDetails": {"accessTokenGeneration": {"claimsToAddOrOverride": {"a": {"b": [1]}}, "scopesToAdd": ["x/y"], "scopesToSuppress": ["z"]}}}"#
        ), version: "V2_0"))
    #expect(changes.accessToken.added == ["a": ["b": [1]]])
    #expect(changes.addedScopes == ["x/y"])
    #expect(changes.suppressedScopes == ["z"])
    for scope in ["two words", "", "quo\\\"te"] {
      #expect(
        throws: invalid(.preTokenGeneration, "scopesToAdd has a value that is not a scope, or too many")
      ) {
        try TokenChanges(
          answer(
            .preTokenGeneration,
            #"{"claimsAndScopeOverrideDetails": {"accessTokenGeneration": {"scopesToAdd": ["\#(scope)"]}}}"#),
          version: "V2_0")
      }
    }
  }

  @Test func claimsAreBounded() {
    let long = String(repeating: "x", count: 65_536)
    #expect(throws: invalid(.preTokenGeneration, "claimsToAddOrOverride has more than 65536 bytes")) {
      try TokenChanges(
        answer(
          .preTokenGeneration, #"{"claimsOverrideDetails": {"claimsToAddOrOverride": {"a": "\#(long)"}}}"#),
        version: "V1_0")
    }
    let names = (0...5_000).map { "\"\($0)\"" }.joined(separator: ",")
    #expect(throws: invalid(.preTokenGeneration, "claimsToSuppress has more than 5000 names")) {
      try TokenChanges(
        answer(.preTokenGeneration, #"{"claimsOverrideDetails": {"claimsToSuppress": [\#(names)]}}"#),
        version: "V1_0")
    }
  }

  @Test func groupsAreReplaced() throws {
    func groups(_ text: String) throws -> TokenGroups? {
      try TokenChanges(
        answer(.preTokenGeneration, #"{"claimsOverrideDetails": {"groupOverrideDetails": \#(text)}}"#),
        version: "V1_0")?.groups
    }
    #expect(
      try groups(#"{"groupsToOverride": ["a"], "iamRolesToOverride": ["r"], "preferredRole": "r"}"#)
        == TokenGroups(groups: ["a"], roles: ["r"], preferredRole: "r"))
    #expect(try groups("{}") == TokenGroups())
    #expect(try groups("null") == nil)
    #expect(throws: invalid(.preTokenGeneration, "groupsToOverride is not an array of strings")) {
      try groups(#"{"groupsToOverride": "a"}"#)
    }
  }

  @Test func userMigration() throws {
    let user = try #require(
      try MigratedUser(
        answer(
          .userMigration,
          #"{"userAttributes": {"email": "j@e.example", "email_verified": true}, "finalUserStatus": "CONFIRMED", "messageAction": "SUPPRESS", "desiredDeliveryMediums": ["EMAIL", "SMS"], "forceAliasCreation": true, "enableSMSMFA": false}"#
        )))
    #expect(user.attributes == ["email": "j@e.example", "email_verified": "true"])
    #expect(user.status == .confirmed)
    #expect(user.forcesAliasCreation && !user.enablesSMSFactor)
    for response in ["{}", #"{"userAttributes": null}"#, #"{"userAttributes": {}}"#] {
      #expect(try MigratedUser(answer(.userMigration, response)) == nil)
    }
    for status in ["UNCONFIRMED", "confirmed", "ARCHIVED"] {
      #expect(throws: invalid(.userMigration, "finalUserStatus is \"\(status)\"")) {
        try MigratedUser(
          answer(.userMigration, #"{"userAttributes": {"a": "b"}, "finalUserStatus": "\#(status)"}"#))
      }
    }
  }
}
