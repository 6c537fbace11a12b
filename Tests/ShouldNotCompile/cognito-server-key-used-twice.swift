// error: 'key' consumed more than once
import SecureRemotePassword

func twice(_ publicKey: [UInt8], _ record: borrowing CognitoSRPRecord) throws {
  let key = try CognitoServerKey()
  _ = try CognitoSRPServer.challenge(publicKey: publicKey, record: record, key: key, context: [])
  _ = try CognitoSRPServer.challenge(publicKey: publicKey, record: record, key: key, context: [])
}
