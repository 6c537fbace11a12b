// error: 'client' consumed more than once
import SecureRemotePassword

func twice(_ parameters: SRPParameters, _ password: borrowing SecretBytes) throws -> [[UInt8]] {
  let client = try SRPClient(parameters)
  let first = try client.respond(identity: [], password: password, salt: [1], serverPublicKey: [2])
  let second = try client.respond(identity: [], password: password, salt: [1], serverPublicKey: [3])
  return [first.proof, second.proof]
}
