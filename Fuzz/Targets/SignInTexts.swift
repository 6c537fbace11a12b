internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Challenges, numbers, names and instants of sign-ins to a user pool: parsed values are written and parsed again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  if let challenge = try? CognitoChallenge(json: bytes) {
    let response = CognitoChallengeResponse(
      name: challenge.name, clientID: "client", responses: challenge.parameters, session: challenge.session)
    precondition((try? JSONValue(parsing: response.json)) != nil)
  }
  if let number = try? CognitoNumber.publicKey(hexadecimal: text) {
    let digits = CognitoNumber.hexadecimal(number)
    precondition((try? CognitoNumber.publicKey(hexadecimal: digits)).map(CognitoNumber.hexadecimal) == digits)
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
  if let pending = try? CognitoPendingChallenge(secret) { precondition(pending.bytes().isEqual(to: secret)) }
  if let group = try? SRPGroup(.bits1024) { _ = try? SRPVerifier(salt: bytes, value: secret, group: group) }
  return 0
}
