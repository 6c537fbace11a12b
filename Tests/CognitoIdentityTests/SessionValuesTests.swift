@testable internal import CognitoIdentityClient
internal import ServiceOperations
internal import SigV4
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The values of the latest sessions, which are not read again for each request.
@Suite struct SessionValuesTests {
  private static let now = Timestamp(seconds: 1_790_000_000)
  private let cache = SessionKeyCache<Int>(capacity: 10, questions: 8, latest: 2)
  private let shared = SharedParts()

  /// A session and the parameters of a request of it.
  private func session(_ number: Int) throws -> (KnownSession, SignatureParameters) {
    var output = GetScopedSigningKey.Output()
    output.session.arn = "arn:aws:sts::123456789012:assumed-role/r/\(number)"
    output.signingKey = SecretText(Base64.string([UInt8](repeating: UInt8(number), count: 32)))
    output.expiration = Self.now.advanced(bySeconds: 600)
    output.maximumAge = 60
    let credentials = try Credentials(
      accessKeyID: "ASIAIOSFODNN7EXAMPL\(["A", "B", "C", "D", "E"][number - 1])",
      secretAccessKey: SecretBytes("secret"),
      sessionToken: "TS1." + String(repeating: "A", count: 100))
    let signed = try Signer(service: "orders", region: "eu-west-1").sign(
      RequestHead("GET", "/", headers: ["host": "api.example"]), with: credentials, at: Self.now)
    let parameters = try UnverifiedRequest(signed.head).parameters
    let asked = try #require(SessionKeyQuestion.Asked(parameters, region: "eu-west-1"))
    let answer = try SessionAnswer(output, asked, sharing: shared, at: Self.now)
    guard case .valid(let session) = answer else { throw SessionRequestError.busy(limit: 0) }
    return (session, parameters)
  }

  @Test func theLatestAreKept() throws {
    let sessions = try (1...3).map { try session($0) }
    for (session, parameters) in sessions { _ = try cache.values(of: session, parameters) }
    // Reading makes them new: the first one was forgotten for the third.
    let isNew = try sessions.map { try $0.0.prepared($0.1).isNew }
    #expect(isNew == [true, false, false])
    let again = try cache.values(of: sessions[1].0, sessions[1].1)
    #expect(again.identity.arn.hasSuffix("/2"))
    #expect(try again === sessions[1].0.prepared(sessions[1].1).values)
  }

  /// The ring keeps no session that nothing else has: its key is wiped.
  @Test func sessionsThatAreNotKnownGo() throws {
    weak var gone: KnownSession?
    do {
      let (session, parameters) = try session(1)
      _ = try cache.values(of: session, parameters)
      gone = session
      #expect(gone != nil)
    }
    #expect(gone == nil)
    for number in 2...4 {
      let (session, parameters) = try session(number)
      _ = try cache.values(of: session, parameters)
    }
    cache.removeAll()
    let (session, parameters) = try session(5)
    #expect(try cache.values(of: session, parameters).identity.arn.hasSuffix("/5"))
  }
}
