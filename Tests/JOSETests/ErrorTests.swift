internal import JOSE
internal import Testing

@Suite struct ErrorTests {
  @Test func sentencesNameTheRuleAndTheValue() {
    let now = NumericDate(seconds: 0)
    let cases: [(JOSEError, String)] = [
      (
        .notCompact(parts: 5),
        "the token has five parts, like an encrypted token (JWE); a signed token (JWS) has three"
      ),
      (
        .algorithmNotAllowed(.hs256, allowed: [.rs256, .es256]),
        "\"alg\" is HS256; only RS256, ES256 is allowed"
      ),
      (
        .audienceMismatch(expected: ["a"], actual: ["b", "c\n"]),
        #"the audience is "b", "c\u{a}"; expected: "a""#
      ),
      (
        .notYetValid(from: NumericDate(seconds: 90), now: now),
        "the token is not valid before 1970-01-01T00:01:30Z, in 1 minute 30 seconds"
      ),
      (
        .lifetimeTooLong(.seconds(86_401), limit: .seconds(86_400)),
        "the lifetime is 1 day (86401 s); at most 1 day (86400 s) is allowed"
      ),
      (
        .json(.payload, .duplicateName("sub", offset: 7)),
        #"the payload is not valid JSON: the name "sub" occurs twice in one object, at byte 7"#
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
