// error: 'CognitoProvenUser' initializer is inaccessible due to 'internal' protection level
import CognitoSRP
import SecureRemotePassword

func forge(_ instant: Timestamp) -> CognitoProvenUser {
  CognitoProvenUser(username: "alice", deviceKey: nil, timestamp: instant)
}
