internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// SRP-6a, one step per line.
struct ExchangePeer: ~Copyable {
  private var client: SRPClient?
  private var proof: SRPClientProof?
  private var challenge: SRPServerChallenge?

  mutating func answer(_ question: Question) throws -> JSONObject {
    let identity = Array(question.text("identity").utf8)
    switch question.text("op") {
    case "srp_verifier":
      let verifier = try SRPVerifier(
        identity: identity, password: question.secret("password"), parameters: parameters(question))
      return ["salt": .string(Hex.string(verifier.salt)), "verifier": verifier.value.hex]
    case "srp_client":
      let client = try SRPClient(parameters(question))
      let publicKey = client.publicKey
      self.client = consume client
      return ["A": .string(Hex.string(publicKey))]
    case "srp_respond":
      guard let client = client.take() else { return ["error": .string("order")] }
      let proof = try client.respond(
        identity: identity, password: question.secret("password"), salt: question.hexBytes("salt"),
        serverPublicKey: question.hexBytes("B"))
      let m1 = proof.proof
      self.proof = consume proof
      return ["M1": .string(Hex.string(m1))]
    case "srp_finish":
      guard let proof = proof.take() else { return ["error": .string("order")] }
      return ["K": try proof.verify(serverProof: question.hexBytes("M2")).hex]
    case "srp_challenge":
      let parameters = try parameters(question)
      let verifier = try SRPVerifier(
        salt: question.hexBytes("salt"), value: question.hexSecret("verifier"), group: parameters.group)
      let challenge = try SRPServer(parameters).challenge(identity: identity, verifier: verifier)
      let publicKey = challenge.publicKey
      self.challenge = consume challenge
      return ["B": .string(Hex.string(publicKey))]
    default:
      guard let challenge = challenge.take() else { return ["error": .string("order")] }
      let session = try challenge.verify(
        clientPublicKey: question.hexBytes("A"), proof: question.hexBytes("M1"))
      let m2 = session.proof
      return ["M2": .string(Hex.string(m2)), "K": session.takeKey().hex]
    }
  }

  private func parameters(_ question: Question) throws -> SRPParameters {
    guard let group = SRPGroup.Standard(rawValue: Int(question.integer("group"))),
      let hash = SRPHash(name: question.text("hash"))
    else { throw SRPError.messageMalformed("group or hash") }
    return try SRPParameters(
      group: SRPGroup(group), hash: hash,
      proof: SRPProofForm(generator: question.flag("padded_generator") == true ? .padded : .shortest))
  }
}
