// error: 'CognitoVerifiedUser' initializer is inaccessible due to 'internal' protection level
import CognitoSRP
import SecureRemotePassword

func forge(_ instant: Timestamp) -> CognitoVerifiedUser {
  CognitoVerifiedUser(username: "alice", deviceKey: nil, timestamp: instant)
}
