// error: 'pending' consumed more than once
import SecureRemotePassword

func twice(
  _ pending: consuming CognitoPendingChallenge, _ claim: CognitoPasswordClaim, _ identity: CognitoSRPIdentity
) throws {
  try CognitoSRPServer.verify(claim, pending: pending, identity: identity, context: [])
  try CognitoSRPServer.verify(claim, pending: pending, identity: identity, context: [])
}
