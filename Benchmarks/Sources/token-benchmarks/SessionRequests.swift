import AccessPolicies
import CognitoIdentityClient
import Foundation
import HTTPExchange
import SigV4

/// A request with a session's credentials, verified with the key that was asked for before, and a decision of its policy.
struct SessionRequests {
  /// A service that has one answer.
  private struct OneAnswer: HTTPTransport {
    let body: [UInt8]

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(status: 200, body: body)
    }
  }

  private static let id = "ASIAEXAMPLEEXAMPLE22"
  private static let token = "TS1." + String(repeating: "A", count: 400)
  private static let service = "cognito-identity"
  private static let region = "us-east-1"

  /// As `GetScopedSigningKey` answers.
  private static func answer(_ credentials: Credentials, at date: Timestamp) throws -> [UInt8] {
    let key = try ScopedSigningKey(credentials, date: date, region: region, service: service)
    let bytes = key.withStoredBytes { span in
      var data = Data()
      for index in span.indices { data.append(span[index]) }
      return data
    }
    let identity = "us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    let role = "arn:aws:iam::123456789012:role/app-user"
    let session: [String: Any] = [
      "Arn": "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials",
      "UserId": "\(identity):CognitoIdentityCredentials", "Account": "123456789012", "RoleArn": role,
      "SessionName": "CognitoIdentityCredentials", "IdentityId": identity, "IdentityPoolId": identity,
      "AuthenticationMethods": ["authenticated", "login.example", "login.example:jane"],
    ]
    let keys: [String: [String]] = [
      "cognito-identity.amazonaws.com:sub": [identity], "cognito-identity.amazonaws.com:aud": [identity],
      "cognito-identity.amazonaws.com:amr": ["authenticated", "login.example"], "aws:principalarn": [role],
      "aws:principaltype": ["AssumedRole"], "aws:principalaccount": ["123456789012"],
      "aws:userid": ["\(identity):CognitoIdentityCredentials"],
    ]
    let answer: [String: Any] = [
      "SigningKey": bytes.base64EncodedString(), "Expiration": date.seconds + 3_600, "MaximumAge": 3_600,
      "Session": session, "ConditionKeys": keys,
      "Policies": [["Name": "ten", "Document": Decisions.policy]], "SessionPolicies": [[String: String]](),
    ]
    return try Array(JSONSerialization.data(withJSONObject: answer))
  }

  static func contender() throws -> Contender {
    let date = Timestamp.now
    let credentials = try Credentials(
      accessKeyID: id,
      secretAccessKey: SecretBytes(Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8).span),
      sessionToken: token)
    let signed = try Signer(service: service, region: region).sign(
      Requests.head, body: .bytes(Requests.body), with: credentials, at: date)
    let verifier = try RequestVerifier(
      policy: VerifierPolicy(
        service: service, region: region, hosts: .oneOf(["cognito-identity.us-east-1.amazonaws.com"])))
    let keys = SessionKeys(
      endpoint: try IdentityEndpoint(address: "http://127.0.0.1:8008", region: region),
      credentials: StaticCredentials(credentials),
      transport: OneAnswer(body: try answer(credentials, at: date)))
    let message = HTTPMessage(head: signed.head, body: Requests.body)
    return Contender(name: "verifying a session's request with a kept key, and a decision") { count in
      for _ in 0..<count {
        let request = try await verifier.verify(message, with: keys, from: "203.0.113.7", at: date)
        guard try request.decide(Decisions.action, on: Decisions.resource).isAllowed else { return false }
      }
      return true
    }
  }
}
