import CognitoUserPool
import TokenSecurityBase

/// Responses of functions of user pools. The first byte selects the trigger, the rest is the JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let trigger = HookTrigger.allCases[Int(start[0]) % HookTrigger.allCases.count]
  let json = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  do throws(UserPoolError) {
    let answer = try HookResponseMembers(trigger, json)
    try read(trigger, answer)
  } catch {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 8_192)
    switch error {
    case .hookRefused, .hookResponseInvalid: break
    default: preconditionFailure("another error: \(error)")
    }
  }
  return 0
}

private func read(_ trigger: HookTrigger, _ answer: HookResponseMembers) throws(UserPoolError) {
  switch trigger {
  case .preSignUp: _ = try SignUpDecision(answer)
  case .defineAuthChallenge:
    if case .challenge(let name) = try NextChallenge(answer) {
      precondition((1...128).contains(name.utf8.count))
    }
  case .createAuthChallenge: _ = try CustomChallenge(answer)
  case .preTokenGeneration:
    for version in ["V1_0", "V2_0"] {
      guard let changes = try TokenChanges(answer, version: version) else { continue }
      check(changes.idToken, isAccessToken: false)
      check(changes.accessToken, isAccessToken: true)
      for scope in changes.addedScopes { precondition(!scope.isEmpty && !scope.utf8.contains(0x20)) }
    }
  case .userMigration:
    if let user = try MigratedUser(answer) { precondition(!user.attributes.isEmpty) }
  case .customMessage: _ = try CustomTexts(answer)
  default: break
  }
}

private func check(_ changes: ClaimChanges, isAccessToken: Bool) {
  for name in [String](changes.added.keys.map(\.text)) + changes.suppressed.map(\.text) {
    precondition(!ReservedClaims.contains(name, isAccessToken: isAccessToken))
    precondition(!name.isIdentical(to: "sub"))
  }
}
