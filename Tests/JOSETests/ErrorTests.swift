internal import JOSE
internal import Testing

@Suite struct ErrorTests {
  @Test func sentencesNameTheRuleAndTheValue() {
    let now = NumericDate(seconds: 0)
    let cases: [(JOSEError, String)] = [
      (
        .notCompact(parts: 5),
        "the token has five parts, as an encrypted one (JWE) has; a signed token (JWS) has three"
      ),
      (
        .algorithmNotAllowed(.hs256, allowed: [.rs256, .es256]),
        "\"alg\" is HS256 where only RS256, ES256 is allowed"
      ),
      (
        .audienceMismatch(expected: ["a"], actual: ["b", "c\n"]),
        #"the audience is "b", "c\u{a}" where "a" is wanted"#
      ),
      (
        .notYetValid(from: NumericDate(seconds: 90), now: now),
        "the token is valid only from 1970-01-01T00:01:30Z on, in 1 minute 30 seconds"
      ),
      (
        .lifetimeTooLong(.seconds(86_401), limit: .seconds(86_400)),
        "the token lives 1 day where at most 1 day is allowed (86401 s, 86400 s)"
      ),
      (
        .json(.payload, .duplicateName("sub", offset: 7)),
        #"the payload is not acceptable JSON: the name "sub" is given twice in one object, at byte 7"#
      ),
    ]
    for (error, sentence) in cases { #expect("\(error)" == sentence) }
  }

  @Test func longListsAreCut() {
    let error = JOSEError.audienceMismatch(expected: ["a"], actual: (0..<1_000).map { "x\($0)" })
    #expect(error.description.utf8.count < 300)
    let name = JOSEError.algorithmUnknown(String(repeating: "\u{1B}", count: 10_000))
    #expect(name.description.utf8.count < 700)
    #expect(!name.description.unicodeScalars.contains("\u{1B}"))
  }
}
