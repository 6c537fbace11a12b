public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Encrypts challenges into their blocks with AES-256-GCM. Only the ids of redeemed blocks are stored.
public struct SealedSecretBlocks: CognitoSecretBlocks {
  private let keys: Keys
  private let replayGuard: any CognitoReplayGuard

  private final class Keys: Sendable {
    let current: AuthenticatedCipher
    let previous: AuthenticatedCipher?

    init(current: consuming AuthenticatedCipher, previous: consuming AuthenticatedCipher?) {
      self.current = current
      self.previous = previous
    }
  }

  /// The first byte of a block, authenticated with it.
  private static let version: [UInt8] = [1]

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - key: 32 random bytes, the same in all processes of a service.
  ///   - replayGuard: the redeemed blocks, shared by all processes that have the key.
  /// - Throws: `keyTooShort`, `libraryFailure`.
  public init(key: borrowing SecretBytes, replayGuard: any CognitoReplayGuard) throws(SRPError) {
    keys = Keys(current: try Self.cipher(key), previous: nil)
    self.replayGuard = replayGuard
  }

  /// Creates a store while keys are rotated.
  ///
  /// - Parameters:
  ///   - key: 32 random bytes, the same in all processes of a service.
  ///   - previous: the previous key, whose blocks are still accepted. It can be removed after five minutes.
  ///   - replayGuard: the redeemed blocks, shared by all processes that have the keys.
  /// - Throws: `keyTooShort`, `libraryFailure`.
  public init(
    key: borrowing SecretBytes, previous: borrowing SecretBytes, replayGuard: any CognitoReplayGuard
  ) throws(SRPError) {
    keys = Keys(current: try Self.cipher(key), previous: try Self.cipher(previous))
    self.replayGuard = replayGuard
  }

  private static func cipher(_ key: borrowing SecretBytes) throws(SRPError) -> AuthenticatedCipher {
    guard key.count == AuthenticatedCipher.keySize else {
      throw .keyTooShort(size: key.count, least: AuthenticatedCipher.keySize)
    }
    return try SRPError.of { () throws(CryptoError) in try AuthenticatedCipher(key: key) }
  }

  /// Encrypts a challenge. Throws `randomUnavailable`, `libraryFailure`.
  public func issue(
    _ challenge: borrowing CognitoPendingChallenge, at now: Timestamp = .now
  ) throws(SRPError) -> [UInt8] {
    let bytes = challenge.bytes()
    let context = Self.version
    let sealed = try SRPError.of { () throws(CryptoError) in
      try keys.current.seal(bytes, context: context.span)
    }
    return Self.version + Declassification.of(sealed)
  }

  /// Decrypts a block and stores its id.
  public func redeem(_ block: [UInt8], at now: Timestamp = .now) async throws(SRPError)
    -> CognitoPendingChallenge
  {
    let challenge = try open(block)
    guard now.seconds <= challenge.end.seconds else {
      throw .secretBlockExpired(at: challenge.end, now: now)
    }
    guard await replayGuard.insert(challenge.id, until: challenge.end, at: now) else {
      throw .secretBlockReplayed
    }
    return challenge
  }

  /// Decrypts a block, redeemed or not.
  func open(_ block: [UInt8]) throws(SRPError) -> CognitoPendingChallenge {
    guard block.count == CognitoPendingChallenge.size + AuthenticatedCipher.overhead + 1,
      block.starts(with: Self.version)
    else { throw .secretBlockInvalid }
    let sealed = Array(block.dropFirst())
    if let bytes = try opened(sealed, with: keys.current) { return try CognitoPendingChallenge(bytes) }
    if keys.previous != nil, let bytes = try openedWithPrevious(sealed) {
      return try CognitoPendingChallenge(bytes)
    }
    throw .secretBlockInvalid
  }

  private func opened(
    _ sealed: [UInt8], with cipher: borrowing AuthenticatedCipher
  ) throws(SRPError) -> SecretBytes? {
    let context = Self.version
    do { return try cipher.open(sealed.span, context: context.span) } catch { throw SRPError(error) }
  }

  private func openedWithPrevious(_ sealed: [UInt8]) throws(SRPError) -> SecretBytes? {
    switch keys.previous {
    case .some(let cipher): try opened(sealed, with: cipher)
    case .none: nil
    }
  }
}
