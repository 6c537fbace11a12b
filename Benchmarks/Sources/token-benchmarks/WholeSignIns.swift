import CognitoUserPoolClient
import Foundation
import JOSE
import OpenIDConnect

/// A sign-in of the client of user pools, from the user's name to verified tokens: two calls, the proof, the tokens.
enum WholeSignIns {
  /// Answers at once, without a network.
  private struct Answers: HTTPTransport {
    let challenge, tokens, keys: [UInt8]

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      guard let target = request.headers["X-Amz-Target"] else {
        return TransportResponse(status: 200, headers: ["cache-control": "max-age=86400"], body: keys)
      }
      return TransportResponse(status: 200, body: target.hasSuffix("InitiateAuth") ? challenge : tokens)
    }
  }

  static func contender(_ challenge: CognitoChallenge) throws -> Contender {
    let material = try Material(.rs256)
    let (pool, client) = (SignIns.poolID, "1h57kf5cpq17m0eml12EXAMPLE")
    func token(_ use: String) throws -> String {
      var claims = TokenClaims(
        issuer: "https://cognito-idp.eu-west-1.amazonaws.com/\(pool)", subject: SignIns.id)
      claims["token_use"] = .string(use)
      claims[use == "id" ? "aud" : "client_id"] = .string(client)
      claims[use == "id" ? "cognito:username" : "username"] = .string(SignIns.id)
      return try TokenSigner(key: material.key, type: nil).issue(claims, lifetime: .seconds(3_600))
    }
    let tokens: JSONValue = [
      "ChallengeParameters": [:],
      "AuthenticationResult": [
        "AccessToken": .string(try token("access")), "IdToken": .string(try token("id")),
        "RefreshToken": "cmVmcmVzaA", "ExpiresIn": 3_600, "TokenType": "Bearer",
      ],
    ]
    let set = "{\"keys\":[\(material.key.publicJWK.map { JSONValue.object($0).description } ?? "")]}"
    let answers = Answers(
      challenge: challenge.json, tokens: Array(tokens.description.utf8), keys: Array(set.utf8))
    let sessions = try UserPoolSessions(
      client: UserPoolClient(pool: UserPool(id: pool, clientID: client), transport: answers))
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
}
