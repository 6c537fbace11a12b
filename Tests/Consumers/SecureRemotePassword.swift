import SRP
import SecureRemotePassword

func signIn() throws {
  let parameters = try SRPParameters(group: SRPGroup(.bits2048), hash: .sha256)
  let name = Array("alice".utf8)
  func password() -> SecretBytes { SecretBytes(Array("password123".utf8).span) }
  let record = try SRPVerifier(identity: name, password: password(), parameters: parameters)
  let client = try SRPClient(parameters)
  let publicKey = client.publicKey
  let challenge = try SRPServer(parameters).challenge(identity: name, verifier: record)
  let proof = try client.respond(
    identity: name, password: password(), salt: challenge.salt, serverPublicKey: challenge.publicKey)
  let session = try challenge.verify(clientPublicKey: publicKey, proof: proof.proof)
  _ = try proof.verify(serverProof: session.proof)
}

try signIn()
print("signed in, beside the module", nameOfSRP)
