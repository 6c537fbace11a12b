import AccessPolicies
import CBare
import CognitoIdentityClient
import Foundation
import HTTPExchange
import SigV4

/// A request with a session's credentials, verified with the key that was asked for before, and a decision of its policy.
struct SessionRequests {
  /// A service whose answers differ by the number at the end of a session token.
  private struct Answers: HTTPTransport {
    /// The answer for number 0, which all sessions have whose number is 0.
    let first: [UInt8]
    let date: Timestamp

    init(at date: Timestamp) throws {
      self.date = date
      first = try answer(0, at: date)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      let text = String(decoding: request.body, as: UTF8.self)
      let digits = text.firstRange(of: token).map { text[$0.upperBound...].prefix { $0.isNumber } }
      guard let number = digits.flatMap({ Int($0) }) else { throw .connection("it has no number") }
      guard number > 0 else { return TransportResponse(status: 200, body: first) }
      guard let body = try? answer(number, at: date) else { throw .connection("no answer") }
      return TransportResponse(status: 200, body: body)
    }
  }

  private static let token = "TS1." + String(repeating: "A", count: 400)
  private static let service = "cognito-identity"
  private static let region = "us-east-1"

  /// The credentials of a session.
  private static func credentials(_ number: Int) throws -> Credentials {
    try Credentials(
      accessKeyID: "ASIAEXAMPLEEXAMPLE22",
      secretAccessKey: SecretBytes(Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8).span),
      sessionToken: "\(token)\(number)")
  }

  /// As `GetScopedSigningKey` answers for a session of an identity.
  private static func answer(_ number: Int, at date: Timestamp) throws -> [UInt8] {
    let key = try ScopedSigningKey(credentials(number), date: date, region: region, service: service)
    let bytes = key.withStoredBytes { span in
      var data = Data()
      for index in span.indices { data.append(span[index]) }
      return data
    }
    let identity = "us-east-1:0d1c6e2a-5b7f-4c39-9a84-\(100_000_000_000 + number)"
    let pool = "us-east-1:3c7f2b58-91d4-4e06-8a2c-6d05e9b4f713"
    let role = "arn:aws:iam::123456789012:role/app-user"
    let user = "\(identity):CognitoIdentityCredentials"
    let methods = ["authenticated", "login.example", "login.example:\(pool):user-\(number)"]
    let session: [String: Any] = [
      "Arn": "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials",
      "UserId": user, "Account": "123456789012", "RoleArn": role,
      "SessionName": "CognitoIdentityCredentials", "IdentityId": identity, "IdentityPoolId": pool,
      "AuthenticationMethods": methods, "IssueTime": date.seconds - Int64(number),
    ]
    let keys: [String: [String]] = [
      "cognito-identity.amazonaws.com:sub": [identity], "cognito-identity.amazonaws.com:aud": [pool],
      "cognito-identity.amazonaws.com:amr": methods, "aws:principalarn": [role],
      "aws:federatedprovider": ["cognito-identity.amazonaws.com"], "aws:principaltype": ["AssumedRole"],
      "aws:principalaccount": ["123456789012"], "aws:userid": [user],
      "aws:tokenissuetime": ["2026-09-05T09:03:07.\(number)Z"],
    ]
    let answer: [String: Any] = [
      "SigningKey": bytes.base64EncodedString(), "Expiration": date.seconds + 3_600, "MaximumAge": 3_600,
      "Session": session, "ConditionKeys": keys,
      "Policies": [["Name": "ten", "Document": Decisions.policy]], "SessionPolicies": [[String: String]](),
    ]
    return try Array(JSONSerialization.data(withJSONObject: answer))
  }

  private static func verifier() throws -> RequestVerifier {
    try RequestVerifier(
      policy: VerifierPolicy(
        service: service, region: region, hosts: .oneOf(["cognito-identity.us-east-1.amazonaws.com"])))
  }

  private static func keys(at date: Timestamp) throws -> SessionKeys {
    SessionKeys(
      endpoint: try IdentityEndpoint(address: "http://127.0.0.1:8008", region: region),
      credentials: StaticCredentials(try credentials(0)), transport: try Answers(at: date))
  }

  private static func message(_ number: Int, at date: Timestamp) throws -> HTTPMessage {
    let signed = try Signer(service: service, region: region).sign(
      Requests.head, body: .bytes(Requests.body), with: credentials(number), at: date)
    return HTTPMessage(head: signed.head, body: Requests.body)
  }

  static func contender() throws -> Contender {
    let date = Timestamp.now
    let (verifier, keys, message) = (try verifier(), try keys(at: date), try message(0, at: date))
    return Contender(name: "verifying a session's request with a kept key, and a decision") { count in
      for _ in 0..<count {
        let request = try await verifier.verify(message, with: keys, from: "203.0.113.7", at: date)
        guard try request.decide(Decisions.action, on: Decisions.resource).isAllowed else { return false }
      }
      return true
    }
  }

  /// The memory that 10,000 kept keys of identities of one role take, in MiB.
  static func memory() async throws -> Double {
    let date = Timestamp.now
    let verifier = try verifier()
    func fill(_ keys: SessionKeys, _ numbers: ClosedRange<Int>) async throws {
      for number in numbers { _ = try await verifier.verify(message(number, at: date), with: keys, at: date) }
      guard keys.count == numbers.count else { fatalError("\(keys.count) keys are kept") }
    }
    // The first requests of a process allocate more. Their keys stay, since tasks could release them later.
    let (first, keys) = (try keys(at: date), try keys(at: date))
    try await fill(first, 1...300)
    let before = bare_bytes_in_use()
    try await fill(keys, 1...10_000)
    let used = Double(bare_bytes_in_use()) - Double(before)
    return withExtendedLifetime((first, keys)) { used / Double(1 << 20) }
  }
}
