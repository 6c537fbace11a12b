internal import SecureRemotePassword
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The next step of a sign-in, which is taken out to take the step. After a failure there is none.
private final class Steps<Step: ~Copyable & Sendable>: Sendable {
  private let next: Mutex<Step?>

  init(_ first: consuming Step) { next = Mutex(first) }

  func take() -> Step? { next.withLock { $0.take() } }

  func put(_ step: consuming Step) {
    var step: Step? = step
    next.withLock { $0 = step.take() }
  }
}

/// The object of a `ts_srp_client`. Each step can be taken once.
final class SRPClientObject: Sendable {
  private enum Step: ~Copyable, Sendable {
    case begun(SRPClient)
    case responded(SRPClientProof)
  }

  let publicKey: [UInt8]
  private let steps: Steps<Step>

  init(_ parameters: SRPParameters) throws(SRPError) {
    let client = try SRPClient(parameters)
    publicKey = client.publicKey
    steps = Steps(.begun(client))
  }

  func respond(
    identity: [UInt8], password: borrowing SecretBytes, salt: [UInt8], serverPublicKey: [UInt8]
  ) throws -> [UInt8] {
    guard case .begun(let client)? = steps.take() else {
      throw CallError.stepUsed("the client has responded, or has ended")
    }
    let proof = try client.respond(
      identity: identity, password: password, salt: salt, serverPublicKey: serverPublicKey)
    let bytes = proof.proof
    steps.put(.responded(proof))
    return bytes
  }

  func verify(serverProof: [UInt8]) throws -> SecretBytes {
    guard case .responded(let proof)? = steps.take() else {
      throw CallError.stepUsed("the client has not responded, or has ended")
    }
    return try proof.verify(serverProof: serverProof)
  }
}

/// The object of a `ts_srp_server`. Each step can be taken once.
final class SRPServerObject: Sendable {
  private enum Step: ~Copyable, Sendable {
    case begun(SRPServer)
    case challenged(SRPServerChallenge)
  }

  private let group: SRPGroup
  private let steps: Steps<Step>

  init(_ parameters: SRPParameters) throws(SRPError) {
    group = parameters.group
    steps = Steps(.begun(try SRPServer(parameters)))
  }

  func challenge(identity: [UInt8], salt: [UInt8], verifier: borrowing SecretBytes) throws -> [UInt8] {
    guard case .begun(let server)? = steps.take() else {
      throw CallError.stepUsed("the server has sent its challenge, or has ended")
    }
    let challenge = try server.challenge(
      identity: identity, verifier: SRPVerifier(salt: salt, value: verifier, group: group))
    let publicKey = challenge.publicKey
    steps.put(.challenged(challenge))
    return publicKey
  }

  func verify(clientPublicKey: [UInt8], proof: [UInt8]) throws -> SRPServerSession {
    guard case .challenged(let challenge)? = steps.take() else {
      throw CallError.stepUsed("the server has sent no challenge, or has ended")
    }
    return try challenge.verify(clientPublicKey: clientPublicKey, proof: proof)
  }
}
