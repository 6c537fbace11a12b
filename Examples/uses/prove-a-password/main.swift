import SecureRemotePassword

// The same on both sides.
let parameters = try SRPParameters(group: SRPGroup(.bits3072), hash: .sha256)
let name = Array("alice".utf8)

/// Both sides of a sign-in: true if they end with the same key.
func signIn(_ record: borrowing SRPVerifier, password: borrowing SecretBytes) throws -> Bool {
  // The client sends its public key, the server a salt and its own.
  let client = try SRPClient(parameters)
  let clientKey = client.publicKey
  let challenge = try SRPServer(parameters).challenge(identity: name, verifier: record)

  // The client proves the password, and the server that it has the record.
  let proof = try client.respond(
    identity: name, password: password, salt: challenge.salt, serverPublicKey: challenge.publicKey)
  let session = try challenge.verify(clientPublicKey: clientKey, proof: proof.proof)
  let shared = try proof.verify(serverProof: session.proof)
  return shared.isEqual(to: session.takeKey())
}

// Sign-up: the server stores salt and value of the record, not the password.
let password = SecretBytes("correct horse battery staple")
let made = try SRPVerifier(identity: name, password: password, parameters: parameters)
let (salt, value) = (made.salt, made.value.unwipedBytes())  // bytes, for a database
let record = try SRPVerifier(salt: salt, value: SecretBytes(value), group: parameters.group)

print(try signIn(record, password: password))
do {
  _ = try signIn(record, password: SecretBytes("wrong horse"))
} catch let error as SRPError {
  print(error.codeText)
}
