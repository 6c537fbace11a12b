internal import CognitoSRP
internal import TokenSecurityCrypto
internal import SecureRemotePassword

/// Messages, numbers, names and instants of sign-ins to a user pool: parsed values are written and parsed
/// again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  if let challenge = try? CognitoChallenge(json: bytes) {
    precondition((try? CognitoChallenge(json: challenge.json)) == challenge)
  }
  if let request = try? CognitoAuthRequest(json: bytes) {
    precondition((try? CognitoAuthRequest(json: request.json)) == request)
  }
  if let response = try? CognitoChallengeResponse(json: bytes) {
    precondition((try? CognitoChallengeResponse(json: response.json)) == response)
  }
  if let instant = try? Timestamp(cognitoText: text) { precondition(instant.cognitoText == text) }
  _ = try? CognitoSRPIdentity.user(userPoolID: text, userIDForSRP: text)
  _ = try? CognitoSRPIdentity.device(groupKey: text, deviceKey: text)
  // One per line: a device's salt and verifier, and a client's A.
  let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  _ = try? CognitoVerifier(deviceSalt: lines[0], passwordVerifier: lines.last ?? "")
  if let app = try? CognitoAppClient(id: "client") {
    precondition((try? app.check(secretHash: text, username: text)) == nil)
  }
  let secret = SecretBytes(bytes.span)
  _ = try? CognitoPendingChallenge(secret)
  if let group = try? SRPGroup(.bits1024) { _ = try? SRPVerifier(salt: bytes, value: secret, group: group) }
  return 0
}
