internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Sign-in by password with SRP-6a (RFC 5054), client and server.

/// Makes the record of a user's password, for sign-up.
///
/// - Parameters:
///   - group: the bits of the group of RFC 5054: 1024, 1536, 2048, 3072, 4096, 6144 or 8192. Take at least 2048.
///   - hash: `SHA-1`, `SHA-256`, `SHA-384` or `SHA-512`; NULL for `SHA-256`.
///   - identity: the user's name.
///   - identityLength: its bytes.
///   - password: the password. Copied and wiped.
///   - passwordLength: its bytes.
///   - salt: receives the salt, which the caller owns.
///   - verifier: receives the verifier, which the caller owns. Protect it like a password hash.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_srp_enroll)
public func srpEnroll(
  _ group: Int32, _ hash: UnsafePointer<CChar>?, _ identity: UnsafePointer<UInt8>?, _ identityLength: UInt,
  _ password: UnsafePointer<UInt8>?, _ passwordLength: UInt, _ salt: UnsafeMutablePointer<BufferHandle?>?,
  _ verifier: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    unsafe verifier?.pointee = nil
    let (saltOutput, output) = unsafe (try result(salt, "salt"), try result(verifier, "verifier"))
    let parameters = try unsafe srpParameters(group, hash)
    let record = try SRPVerifier(
      identity: unsafe Arguments.bytes(identity, identityLength, "identity"),
      password: unsafe Arguments.secret(password, passwordLength, "password"), parameters: parameters)
    unsafe saltOutput.pointee = Handle.make(BufferObject(record.salt))
    unsafe output.pointee = Handle.make(BufferObject(record.value))
  }
}

/// Begins a sign-in on the client's side.
///
/// - Parameters:
///   - group: the bits of the group of RFC 5054.
///   - hash: the hash's name; NULL for `SHA-256`.
///   - client: receives the client, which the caller owns.
///   - publicKey: receives A, which the caller owns. It is sent to the server.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_srp_client_create)
public func srpClientCreate(
  _ group: Int32, _ hash: UnsafePointer<CChar>?, _ client: UnsafeMutablePointer<SRPClientHandle?>?,
  _ publicKey: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let (output, keyOutput) = unsafe (try result(client, "client"), try result(publicKey, "public_key"))
    let object = try SRPClientObject(unsafe srpParameters(group, hash))
    unsafe output.pointee = Handle.make(object)
    unsafe keyOutput.pointee = Handle.make(BufferObject(object.publicKey))
  }
}

/// Responds to the server's challenge. A client responds once.
///
/// - Parameters:
///   - client: the client.
///   - identity: the user's name.
///   - identityLength: its bytes.
///   - password: the password. Copied and wiped.
///   - passwordLength: its bytes.
///   - salt: the salt that the server sent.
///   - saltLength: its bytes.
///   - serverKey: B, which the server sent.
///   - serverKeyLength: its bytes.
///   - proof: receives M1, which the caller owns. It is sent to the server.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error, after which the sign-in has ended.
@c(ts_srp_client_respond)
public func srpClientRespond(
  _ client: SRPClientHandle?, _ identity: UnsafePointer<UInt8>?, _ identityLength: UInt,
  _ password: UnsafePointer<UInt8>?, _ passwordLength: UInt, _ salt: UnsafePointer<UInt8>?,
  _ saltLength: UInt, _ serverKey: UnsafePointer<UInt8>?, _ serverKeyLength: UInt,
  _ proof: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(proof, "proof")
    let object = try unsafe Handle.object(client, "client", as: SRPClientObject.self)
    let made = try object.respond(
      identity: unsafe Arguments.bytes(identity, identityLength, "identity"),
      password: unsafe Arguments.secret(password, passwordLength, "password"),
      salt: unsafe Arguments.bytes(salt, saltLength, "salt"),
      serverPublicKey: unsafe Arguments.bytes(serverKey, serverKeyLength, "server_key"))
    unsafe output.pointee = Handle.make(BufferObject(made))
  }
}

/// Verifies the server's proof, which ends the sign-in.
///
/// - Parameters:
///   - client: the client, which has responded.
///   - proof: M2, which the server sent.
///   - proofLength: its bytes.
///   - sessionKey: receives the key that both sides have, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_srp_client_verify)
public func srpClientVerify(
  _ client: SRPClientHandle?, _ proof: UnsafePointer<UInt8>?, _ proofLength: UInt,
  _ sessionKey: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(sessionKey, "session_key")
    let object = try unsafe Handle.object(client, "client", as: SRPClientObject.self)
    let key = try object.verify(serverProof: unsafe Arguments.bytes(proof, proofLength, "proof"))
    unsafe output.pointee = Handle.make(BufferObject(key))
  }
}

/// Frees a client and wipes its secrets. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter client: the client, which the caller owns.
@c(ts_srp_client_free)
public func srpClientFree(_ client: SRPClientHandle?) { unsafe Handle.free(client, as: SRPClientObject.self) }

/// Begins a sign-in on the server's side. It can be made before the client calls.
///
/// - Parameters:
///   - group: the bits of the group of RFC 5054.
///   - hash: the hash's name; NULL for `SHA-256`.
///   - server: receives the server, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_srp_server_create)
public func srpServerCreate(
  _ group: Int32, _ hash: UnsafePointer<CChar>?, _ server: UnsafeMutablePointer<SRPServerHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(server, "server")
    unsafe output.pointee = Handle.make(try SRPServerObject(unsafe srpParameters(group, hash)))
  }
}

/// Makes the challenge for a user. A server makes one.
///
/// - Parameters:
///   - server: the server.
///   - identity: the user's name.
///   - identityLength: its bytes.
///   - salt: the salt of the user's record.
///   - saltLength: its bytes.
///   - verifier: the verifier of the user's record. Copied and wiped.
///   - verifierLength: its bytes.
///   - publicKey: receives B, which the caller owns. It is sent to the client, with the salt.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error, after which the sign-in has ended.
@c(ts_srp_server_challenge)
public func srpServerChallenge(
  _ server: SRPServerHandle?, _ identity: UnsafePointer<UInt8>?, _ identityLength: UInt,
  _ salt: UnsafePointer<UInt8>?, _ saltLength: UInt, _ verifier: UnsafePointer<UInt8>?,
  _ verifierLength: UInt, _ publicKey: UnsafeMutablePointer<BufferHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(publicKey, "public_key")
    let object = try unsafe Handle.object(server, "server", as: SRPServerObject.self)
    let made = try object.challenge(
      identity: unsafe Arguments.bytes(identity, identityLength, "identity"),
      salt: unsafe Arguments.bytes(salt, saltLength, "salt"),
      verifier: unsafe Arguments.secret(verifier, verifierLength, "verifier"))
    unsafe output.pointee = Handle.make(BufferObject(made))
  }
}

/// Verifies the client's proof: the client knows the password.
///
/// - Parameters:
///   - server: the server, which has made its challenge.
///   - clientKey: A, which the client sent.
///   - clientKeyLength: its bytes.
///   - proof: M1, which the client sent.
///   - proofLength: its bytes.
///   - serverProof: receives M2, which the caller owns. It is sent to the client.
///   - sessionKey: receives the key that both sides have, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error, after which the sign-in has ended.
@c(ts_srp_server_verify)
public func srpServerVerify(
  _ server: SRPServerHandle?, _ clientKey: UnsafePointer<UInt8>?, _ clientKeyLength: UInt,
  _ proof: UnsafePointer<UInt8>?, _ proofLength: UInt,
  _ serverProof: UnsafeMutablePointer<BufferHandle?>?, _ sessionKey: UnsafeMutablePointer<BufferHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let (output, keyOutput) = unsafe (
      try result(serverProof, "server_proof"), try result(sessionKey, "session_key")
    )
    let object = try unsafe Handle.object(server, "server", as: SRPServerObject.self)
    let session = try object.verify(
      clientPublicKey: unsafe Arguments.bytes(clientKey, clientKeyLength, "client_key"),
      proof: unsafe Arguments.bytes(proof, proofLength, "proof"))
    let made = BufferObject(session.proof)
    unsafe keyOutput.pointee = Handle.make(BufferObject(session.takeKey()))
    unsafe output.pointee = Handle.make(made)
  }
}

/// Frees a server and wipes its secrets. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter server: the server, which the caller owns.
@c(ts_srp_server_free)
public func srpServerFree(_ server: SRPServerHandle?) { unsafe Handle.free(server, as: SRPServerObject.self) }

private func srpParameters(_ bits: Int32, _ name: UnsafePointer<CChar>?) throws -> SRPParameters {
  guard let group = SRPGroup.Standard(rawValue: Int(bits)) else {
    throw CallError.argumentOutOfRange("group", rule: "is \(bits), which is no size of a group of RFC 5054")
  }
  let text = try unsafe Arguments.optionalText(name, "hash")
  guard let hash = text.map({ SRPHash(name: $0) }) ?? .sha256 else {
    throw CallError.argumentOutOfRange(
      "hash", rule: "must be one of \(SRPHash.allCases.map(\.name).quotedList)")
  }
  return try SRPParameters(group: SRPGroup(group), hash: hash)
}
