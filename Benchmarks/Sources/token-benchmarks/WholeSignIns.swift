import CognitoUserPoolClient
import Foundation
import JOSE
import OpenIDConnect

/// A sign-in of the client of user pools, from the user's name to verified and kept tokens: two calls, the proof, the
/// tokens. The service's responses are made before, and given without a network.
struct WholeSignIns {
  static let clientID = "1h57kf5cpq17m0eml12EXAMPLE"

  /// The bodies of the responses.
  let challenge, tokens, keys: [UInt8]

  init(_ challenge: CognitoChallenge) throws {
    let material = try Material(.rs256)
    func token(_ use: String) throws -> JSONValue {
      var claims = TokenClaims(
        issuer: "https://cognito-idp.eu-west-1.amazonaws.com/\(SignIns.poolID)", subject: SignIns.id)
      claims["token_use"] = .string(use)
      claims[use == "id" ? "aud" : "client_id"] = .string(Self.clientID)
      claims[use == "id" ? "cognito:username" : "username"] = .string(SignIns.id)
      return .string(try TokenSigner(key: material.key, type: nil).issue(claims, lifetime: .seconds(3_600)))
    }
    let tokens: JSONValue = [
      "ChallengeParameters": [:],
      "AuthenticationResult": [
        "AccessToken": try token("access"), "IdToken": try token("id"), "RefreshToken": "cmVmcmVzaA",
        "ExpiresIn": 3_600, "TokenType": "Bearer",
      ],
    ]
    let keys = "{\"keys\":[\(material.key.publicJWK.map { JSONValue.object($0).description } ?? "")]}"
    var parameters: [String] = []
    for name in challenge.parameters.names {
      parameters.append("\"\(name)\":\"\(challenge.parameters[name] ?? "")\"")
    }
    let members = parameters.joined(separator: ",")
    self.challenge = Array(
      "{\"ChallengeName\":\"\(challenge.name)\",\"ChallengeParameters\":{\(members)}}".utf8)
    self.tokens = Array(tokens.description.utf8)
    self.keys = Array(keys.utf8)
  }

  /// Answers at once.
  private struct Answers: HTTPTransport {
    let responses: WholeSignIns

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      guard let target = request.headers["X-Amz-Target"] else {
        return TransportResponse(
          status: 200, headers: ["cache-control": "max-age=86400"], body: responses.keys)
      }
      let isFirst = target.hasSuffix("InitiateAuth")
      return TransportResponse(status: 200, body: isFirst ? responses.challenge : responses.tokens)
    }
  }

  func contender() throws -> Contender {
    let pool = try UserPool(id: SignIns.poolID, clientID: Self.clientID)
    let sessions = try UserPoolSessions(
      client: UserPoolClient(pool: pool, transport: Answers(responses: self)))
    return Contender(name: "client: a whole sign-in, tokens verified, without a network") { count in
      let password = SecretBytes(Array("Tr0ub4dor&3".utf8).span)
      for _ in 0..<count {
        switch try await sessions.signIn(username: "alice", password: password) {
        case .done(let signedIn): try await sessions.keep(signedIn)
        default: return false
        }
      }
      return true
    }
  }

  /// The same responses for the peer in Python.
  func write(to file: URL) throws {
    var json = Array("{\"pool\":\"\(SignIns.poolID)\",\"client\":\"\(Self.clientID)\"".utf8)
    for (name, body) in [("challenge", challenge), ("tokens", tokens), ("keys", keys)] {
      json += Array(",\"\(name)\":".utf8) + body
    }
    try Data(json + Array("}".utf8)).write(to: file)
  }
}
