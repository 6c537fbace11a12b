public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Challenges sealed into their blocks with AES-256-GCM: nothing is stored but which were used.
public struct SealedSecretBlocks: CognitoSecretBlocks {
  private let keys: Keys
  private let uses: any CognitoBlockUses

  private final class Keys: Sendable {
    let current: AuthenticatedCipher
    let previous: AuthenticatedCipher?

    init(current: consuming AuthenticatedCipher, previous: consuming AuthenticatedCipher?) {
      self.current = current
      self.previous = previous
    }
  }

  /// The first byte of a block, and what is sealed along with it.
  private static let version: [UInt8] = [1]

  /// `key`: 32 random bytes, the same in all processes of a service. `previous`: the key before it, whose blocks are still
  /// taken: five minutes after a change it can go. `uses`: what remembers the blocks that were used, for all processes
  /// that share a key.
  ///
  /// Throws `keyTooShort`, `libraryFailure`.
  public init(
    key: borrowing SecretBytes, uses: any CognitoBlockUses
  ) throws(SRPError) {
    keys = Keys(current: try Self.cipher(key), previous: nil)
    self.uses = uses
  }

  /// The same while keys change.
  ///
  /// Throws `keyTooShort`, `libraryFailure`.
  public init(
    key: borrowing SecretBytes, previous: borrowing SecretBytes, uses: any CognitoBlockUses
  ) throws(SRPError) {
    keys = Keys(current: try Self.cipher(key), previous: try Self.cipher(previous))
    self.uses = uses
  }

  private static func cipher(_ key: borrowing SecretBytes) throws(SRPError) -> AuthenticatedCipher {
    guard key.count == AuthenticatedCipher.keySize else {
      throw .keyTooShort(size: key.count, least: AuthenticatedCipher.keySize)
    }
    return try SRPError.of { () throws(CryptoError) in try AuthenticatedCipher(key: key) }
  }

  public func issue(
    _ challenge: borrowing CognitoPendingChallenge, at now: Timestamp
  ) throws(SRPError) -> [UInt8] {
    let bytes = challenge.bytes()
    let context = Self.version
    let sealed = try SRPError.of { () throws(CryptoError) in
      try keys.current.seal(bytes, context: context.span)
    }
    return Self.version + Declassification.of(sealed)
  }

  public func redeem(_ block: [UInt8], at now: Timestamp) async throws(SRPError) -> CognitoPendingChallenge {
    let challenge = try open(block)
    guard now.seconds <= challenge.end.seconds else {
      throw .secretBlockExpired(at: challenge.end, now: now)
    }
    guard await uses.isFirstUse(of: challenge.id, until: challenge.end, at: now) else {
      throw .secretBlockReplayed
    }
    return challenge
  }

  /// What a block has in it, whether it was used or not.
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

/// What remembers which blocks were used: one process's ``CognitoBlockMemory``, or a store that several share.
public protocol CognitoBlockUses: Sendable {
  /// Remembers an id up to and including the second of `end`. Returns false where it is remembered already,
  /// or where the memory can no longer say so.
  func isFirstUse(of id: [UInt8], until end: Timestamp, at now: Timestamp) async -> Bool
}
