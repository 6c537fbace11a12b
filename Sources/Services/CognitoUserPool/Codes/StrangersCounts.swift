internal import HTTPExchange
internal import Synchronization
internal import TokenLifetime

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

  struct Key: Sendable, Hashable {
    let kind: Kind
    /// The key of ``LimitSubject``.
    let subject: [UInt8]
    let client: ClientAddress
  }

  private struct Count {
    var first: Timestamp
    var calls = 0
  }

  private struct State {
    var current: [Key: Count] = [:]
    var previous: [Key: Count] = [:]
  }

  private let state = Mutex(State())
  /// Maximum number of calls within ``LimitKind/window``, from the first one on.
  static let limit = 100
  /// Maximum number of counts of a generation. With the next one the older generation is forgotten.
  private static let capacity = 50_000

  /// Counts a call.
  ///
  /// - Throws: ``Kind/refusal`` beyond the limit. Such calls are not counted.
  func count(_ key: Key, at now: Timestamp) throws(UserPoolError) {
    let isAllowed = state.withLock { state in
      var count = state.current[key] ?? state.previous[key] ?? Count(first: now)
      // A clock that was set back since does not make an hour much longer.
      if now - count.first >= LimitKind.window || count.first - now > LimitKind.clockDifference {
        count = Count(first: now)
      }
      guard count.calls < Self.limit else { return false }
      count.calls += 1
      if state.current.count >= Self.capacity, state.current[key] == nil {
        state.previous = state.current
        state.current = [:]
      }
      state.current[key] = count
      return true
    }
    guard isAllowed else { throw key.kind.refusal }
  }

  /// Takes a call back that led to a proof.
  func takeBack(_ key: Key) {
    state.withLock { state in
      guard var count = state.current[key] ?? state.previous[key], count.calls > 0 else { return }
      count.calls -= 1
      guard count.calls > 0 else {
        state.current[key] = nil
        state.previous[key] = nil
        return
      }
      if state.current[key] != nil { state.current[key] = count } else { state.previous[key] = count }
    }
  }
}

extension UserPoolService {
  /// Counts a call for a name that was typed, before the name is looked up.
  ///
  /// - Throws: ``StrangersCounts/Kind/refusal``.
  func count(
    _ kind: StrangersCounts.Kind, named name: String, in pool: UserPool, _ context: CallContext
  ) throws(UserPoolError) {
    try strangers.count(strangersKey(kind, named: name, in: pool, context), at: context.time)
  }

  /// Takes a sign-in back that has led to tokens, if it was counted. Those of administrators are not.
  func takeBack(_ state: SignInState) {
    guard state.session.isCounted,
      let key = try? strangersKey(.signIn, named: state.session.typedName, in: state.pool, state.context)
    else { return }
    strangers.takeBack(key)
  }

  private func strangersKey(
    _ kind: StrangersCounts.Kind, named name: String, in pool: UserPool, _ context: CallContext
  ) throws(UserPoolError) -> StrangersCounts.Key {
    let shown = try secrets.simulatedUserName(of: UserNaming(pool).canonical(name), in: pool)
    let subject = try LimitSubject.unknown(shown).key(in: pool.id, secrets)
    return StrangersCounts.Key(kind: kind, subject: subject, client: context.client)
  }
}
