internal import SecureRemotePassword
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Sessions and secret blocks: sealed, and of one length for the same request, unless functions keep more in them.
extension SignInSession {
  /// Maximum number of characters in a session.
  static let lengthLimit = 4_096
  /// The bytes that a session has before it is sealed. The first number makes no more than the 2,048 characters of Amazon's
  /// model; the others are for what functions keep in a session.
  private static let sizes = [1_500, 2_250, limit]
  private static let limit = 3_000

  /// The first character of sessions: a command would take one that begins with a hyphen for an option.
  private static let mark = "s"

  private static let sessionName = "session"
  private static let blockName = "block"
  private static let blockIDSize = 16

  /// The sealed session, in base64url.
  ///
  /// - Throws: `hookResponseInvalid` where the private parameters of a custom challenge do not fit.
  package func sealed(_ secrets: UserPoolSecrets) throws(UserPoolError) -> String {
    var bytes = try padded()
    let sealed = try secrets.seal(SecretBytes(wiping: &bytes), for: .session, name: Self.sessionName)
    return Self.mark + Base64URL.string(sealed)
  }

  /// Opens a session; nil for another text.
  package init?(sealed text: String, _ secrets: UserPoolSecrets) throws(UserPoolError) {
    guard text.utf8.count <= Self.lengthLimit, let encoded = text.rest(after: Self.mark),
      let bytes = try? Base64URL.decode(encoded),
      let secret = try secrets.open(bytes.span, for: .session, name: Self.sessionName)
    else { return nil }
    self.init(json: secret.withBytes { [UInt8](unwipedCopy: $0) })
  }

  /// The secret block of a challenge: an id of its own, its end, the pending challenge, and the session. Nodes of
  /// other versions read it too.
  func block(
    _ pending: borrowing CognitoPendingChallenge, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> [UInt8] {
    var head = try UserPoolError.crypto { () throws(CryptoError) in
      try Random.publicBytes(count: Self.blockIDSize)
    }
    head.append(bigEndian: end.seconds)
    let session = try padded()
    let proof = pending.bytes()
    let all = SecretBytes(count: head.count + proof.count + session.count) { output in
      for index in head.indices { output[index] = head[index] }
      proof.withBytes { proof in for index in proof.indices { output[head.count + index] = proof[index] } }
      for index in session.indices { output[head.count + proof.count + index] = session[index] }
    }
    return try secrets.seal(all, for: .session, name: Self.blockName)
  }

  private func padded() throws(UserPoolError) -> [UInt8] {
    var bytes = json
    guard bytes.count <= Self.limit else {
      throw .hookResponseInvalid(
        trigger: HookTrigger.createAuthChallenge.name,
        rule:
          "with the challenges so far and the private parameters the session has more than \(Self.limit) bytes"
      )
    }
    // Data that depends on the user counts with its maximum size in bytes: the length is that of an unknown name.
    let most = bytes.count + max(0, Self.userLimit - userSize)
    let size = Self.sizes.first { $0 >= most } ?? Self.limit
    bytes += [UInt8](repeating: UInt8(ascii: " "), count: size - bytes.count)
    return bytes
  }

  /// The bytes of the fields that a user who does not exist has none of, or others. The name that was typed is the
  /// caller's.
  private var userSize: Int {
    let password = JSONWriter.size(of: Base64URL.string(passwordDigest))
    return JSONWriter.size(of: shownName) + JSONWriter.size(of: sub) + password
  }

  /// Their most bytes: a name of 128 characters, a UUID, and 16 bytes in base64url, in quotes.
  private static let userLimit = 128 * 4 + 36 + 22 + 3 * 2

  /// A secret block that was opened: its session, and its challenge, which is redeemed in the transaction that
  /// counts the answer.
  struct OpenedBlock: Sendable {
    let session: SignInSession
    let end: Timestamp
    let id: [UInt8]
    /// The block as the client signs it.
    let bytes: [UInt8]
    /// The bytes of a `CognitoPendingChallenge`.
    let pending: RetainedSecret

    /// Opens a block; nil for other bytes.
    init?(_ block: [UInt8], _ secrets: UserPoolSecrets) throws(UserPoolError) {
      let (idSize, headSize) = (SignInSession.blockIDSize, SignInSession.blockIDSize + 8)
      let size = headSize + CognitoPendingChallenge.size
      guard let secret = try secrets.open(block.span, for: .session, name: SignInSession.blockName),
        secret.count > size
      else { return nil }
      let text = secret.withBytes { [UInt8](unwipedCopy: $0.extracting(droppingFirst: size)) }
      guard let session = SignInSession(json: text) else { return nil }
      let head = secret.withBytes {
        Declassification.of([UInt8](unwipedCopy: $0.extracting(first: headSize)))
      }
      self.session = session
      id = Array(head[..<idSize])
      end = Timestamp(seconds: Int64(bigEndianBytes: head[idSize...]))
      bytes = block
      pending = RetainedSecret(
        secret.withBytes {
          SecretBytes($0.extracting(droppingFirst: headSize).extracting(first: CognitoPendingChallenge.size))
        })
    }
  }
}

extension SignInSession {
  /// The session with an id of its own, valid for the client's time, and sealed.
  ///
  /// - Parameters:
  ///   - challenge: the challenge that the session is for.
  ///   - client: the client.
  ///   - now: the time.
  ///   - secrets: what seals it.
  /// - Returns: the session and its text.
  /// - Throws: `cryptoFailed`, `hookResponseInvalid`.
  package func issued(
    for challenge: String, _ client: UserPoolClient, at now: Timestamp, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> (session: SignInSession, text: String) {
    let session = try renewed(for: challenge, client, at: now, isIssued: true)
    return (session, try session.sealed(secrets))
  }

  /// The session with an id of its own.
  func renewed(
    for challenge: String, _ client: UserPoolClient, at now: Timestamp, isIssued: Bool
  ) throws(UserPoolError) -> SignInSession {
    var session = self
    session.id = try UserPoolError.crypto { () throws(CryptoError) in try Random.publicBytes(count: 16) }
    session.challenge = challenge
    session.end = (now + client.sessionLifetime).wholeSecond
    session.isIssued = isIssued
    return session
  }

  /// Opens a session that a client sent. Whether it was used is for the caller's transaction:
  /// ``ReadTransaction/checkUnused(_:)``.
  ///
  /// - Parameters:
  ///   - text: the session.
  ///   - client: the client that sent it; nil where the request names none.
  ///   - challenge: the challenge, or the operation, that it must be for.
  ///   - now: the time.
  ///   - secrets: what sealed it.
  /// - Throws: `sessionInvalid`, `sessionExpired`, `cryptoFailed`.
  package init(
    opening text: String, client: UserPoolClient?, challenge: String, at now: Timestamp,
    _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    guard let session = try SignInSession(sealed: text, secrets), session.challenge == challenge,
      client == nil || (session.clientID == client?.id && session.poolID == client?.poolID)
    else { throw .sessionInvalid }
    guard now <= session.end else { throw .sessionExpired }
    self = session
  }
}
