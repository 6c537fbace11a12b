internal import HTTPExchange
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase

/// Counts calls by which strangers ask for a name and prove nothing, by the name and the address that asks. The
/// user's own address is another one: nobody is kept from signing in by what others ask.
///
/// In memory of each node, since a row would cost each sign-in a commit. The store counts guesses. The name
/// is counted as it was typed, before it is looked up: a refused call has done the same for all names, and read no user.
final class StrangersCounts: Sendable {
  /// The kind of a call.
  enum Kind: Sendable, Hashable, CaseIterable {
    /// Sign-ins that did not lead to tokens.
    case signIn
    case signUp
    /// Proofs of a device without a session.
    case device
    /// `ConfirmSignUp`.
    case confirm
    /// `ResendConfirmationCode`.
    case resend
    /// `ForgotPassword`.
    case resetCode
    /// `ConfirmForgotPassword`.
    case reset

    /// The refusal beyond the limit, of those that Amazon Cognito declares for the operations.
    var refusal: UserPoolError {
      switch self {
      case .signIn, .device: .passwordAttemptsExceeded
      case .signUp, .confirm, .resend, .resetCode, .reset: .attemptLimitExceeded
      }
    }
  }

  /// The name as it was typed, in its canonical form, and the address.
  ///
  /// Nothing that is shown for the name is in it: an address and the id that is shown for it have a count each, whether a
  /// user has them or not.
  struct Key: Sendable, Hashable {
    let kind: Kind
    fileprivate let digest: Digest

    /// - Throws: `cryptoFailed`.
    init(
      _ kind: Kind, named canonicalName: String, in poolID: String, from client: ClientAddress,
      _ secrets: UserPoolSecrets
    ) throws(UserPoolError) {
      self.kind = kind
      let parts = [Array(poolID.utf8), Array("typed".utf8), Array(canonicalName.utf8), client.bytes]
      digest = Digest(try secrets.digest(parts, for: .attempt))
    }
  }

  /// 16 bytes of a keyed digest: a name that was typed by mistake may be a password, and all keys have one size.
  fileprivate struct Digest: Sendable, Hashable {
    private let high, low: UInt64

    init(_ bytes: [UInt8]) {
      high = UInt64(bigEndianBytes: bytes.prefix(8))
      low = UInt64(bigEndianBytes: bytes.dropFirst(8).prefix(8))
    }
  }

  private let state = Mutex<[Kind: StrangersGenerations<Digest>]>([:])
  private let capacity: Int
  /// Maximum number of calls within ``LimitKind/window``, from the first one on.
  static let limit = 100
  /// Maximum number of counts of a kind and generation: 65,536 slots of 40 bytes, which is 37 MB for two generations of each
  /// kind.
  static let capacity = 49_152

  init(capacity: Int = StrangersCounts.capacity) { self.capacity = capacity }

  /// Counts a call.
  ///
  /// - Throws: ``Kind/refusal`` beyond the limit. Such calls are not counted.
  func count(_ key: Key, at now: Timestamp) throws(UserPoolError) {
    let isAllowed = state.withLock {
      $0[key.kind, default: StrangersGenerations()].count(key.digest, capacity, at: now)
    }
    guard isAllowed else { throw key.kind.refusal }
  }

  /// Takes a call back that led to a proof.
  func takeBack(_ key: Key) { state.withLock { $0[key.kind]?.takeBack(key.digest) } }
}

extension StrangersCounts {
  /// Counts a call for a name that was typed, before the name is looked up.
  ///
  /// - Throws: ``Kind/refusal``.
  func count(
    _ kind: Kind, named name: String, in pool: UserPool, _ context: CallContext, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    try count(Key(kind, typed: name, in: pool, context, secrets), at: context.time)
  }

  /// Takes a call back that led to a proof.
  func takeBack(
    _ kind: Kind, named name: String, in pool: UserPool, _ context: CallContext, _ secrets: UserPoolSecrets
  ) {
    guard let key = try? Key(kind, typed: name, in: pool, context, secrets) else { return }
    takeBack(key)
  }
}

extension StrangersCounts.Key {
  fileprivate init(
    _ kind: StrangersCounts.Kind, typed name: String, in pool: UserPool, _ context: CallContext,
    _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    try self.init(
      kind, named: UserNaming(pool).canonical(name), in: pool.id, from: context.client, secrets)
  }
}
