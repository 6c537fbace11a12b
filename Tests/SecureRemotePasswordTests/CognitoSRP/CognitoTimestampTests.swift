internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

@Suite struct CognitoTimestampTests {
  @Test(
    arguments: [
      (0, "Thu Jan 1 00:00:00 UTC 1970"), (1_788_598_987, "Sat Sep 5 09:03:07 UTC 2026"),
      (951_782_399, "Mon Feb 28 23:59:59 UTC 2000"), (951_782_400, "Tue Feb 29 00:00:00 UTC 2000"),
      (951_868_800, "Wed Mar 1 00:00:00 UTC 2000"), (4_107_542_400, "Mon Mar 1 00:00:00 UTC 2100"),
      (1_798_761_599, "Thu Dec 31 23:59:59 UTC 2026"), (253_402_300_799, "Fri Dec 31 23:59:59 UTC 9999"),
    ] as [(Int64, String)])
  func instants(_ seconds: Int64, _ text: String) throws {
    #expect(Timestamp(seconds: seconds).cognitoText == text)
    #expect(try Timestamp(cognitoText: text).seconds == seconds)
  }

  /// Every day of 400 years, written and parsed.
  @Test func allDays() throws {
    for day in stride(from: Int64(0), to: 146_097, by: 1) {
      let stamp = Timestamp(seconds: day * 86_400 + day % 86_400)
      #expect(try Timestamp(cognitoText: stamp.cognitoText) == stamp)
    }
  }

  @Test func instantsOutsideAreBrought() {
    #expect(Timestamp.earliest.cognitoText == "Thu Jan 1 00:00:00 UTC 1970")
    #expect(Timestamp(seconds: .max).cognitoText == "Fri Dec 31 23:59:59 UTC 9999")
  }

  @Test(
    arguments: [
      "", "Sat Sep 05 09:03:07 UTC 2026", "Sat Sep  5 09:03:07 UTC 2026", "Sa Sep 5 09:03:07 UTC 2026",
      "Sam. sept. 5 09:03:07 UTC 2026", "Sa Sep. 5 09:03:07 UTC 2026", "Sat Sep 5 9:03:07 UTC 2026",
      "Sat Sep 5 09:03:07 AM UTC 2026", "Sat Sep 5 09:03:07 GMT 2026", "Sat Sep 5 09:03:07 +00:00 2026",
      "Sat Sep 5 11:03:07 CEST 2026", "Sun Sep 5 09:03:07 UTC 2026", "Sat Sep 5 24:00:00 UTC 2026",
      "Sat Sep 5 09:60:07 UTC 2026", "Sat Sep 5 09:03:60 UTC 2026", "Sat Sep 5 09:03:07 UTC 26",
      "Sat Sep 5 09:03:07 UTC 1926", "Sat Sep 31 09:03:07 UTC 2026", "Sat Feb 29 09:03:07 UTC 2026",
      "Sat Sep 0 09:03:07 UTC 2026", "2026-09-05T09:03:07Z", "Sat Sep 5 09:03:07 UTC 2026 ",
      " Sat Sep 5 09:03:07 UTC 2026", "sat sep 5 09:03:07 utc 2026", "Sat Sep 5 09:03:07 UTC ٢٠٢٦",
      "Sat Sep 5 09:03:07\u{A0}UTC 2026", "1788598987", "Sat Sep +5 09:03:07 UTC 2026",
    ])
  func otherForms(_ text: String) {
    #expect(throws: SRPError.timestampMalformed(text)) { try Timestamp(cognitoText: text) }
  }

  /// The default of `at:` is the present.
  @Test func aUserSignsInNow() throws {
    let start = Timestamp.now
    let client = try CognitoMaterial.begin("alice")
    let challenge = try OpenChallenge(to: client.request.parameters, of: CognitoMaterial.user())
    let response = try client.respond(
      to: challenge.message, password: CognitoMaterial.secret(CognitoMaterial.password))
    let claim = try CognitoPasswordClaim(
      signature: Base64.decode(response.responses["PASSWORD_CLAIM_SIGNATURE"] ?? ""),
      secretBlock: [UInt8](0..<40), timestamp: response.responses["TIMESTAMP"] ?? "")
    try CognitoSRPServer.verify(
      claim, pending: CognitoPendingChallenge(CognitoMaterial.secret(challenge.pending)),
      identity: challenge.identity, context: challenge.context)
    // Within an hour: the system's clock can be set meanwhile.
    #expect((start - .seconds(3_600)...start + .seconds(3_600)).contains(claim.timestamp))
  }
}
