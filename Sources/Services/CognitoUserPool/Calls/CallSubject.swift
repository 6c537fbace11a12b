internal import Synchronization

/// The pool and the user that a call concerns, and what the operator should know of it, for logs.
///
/// A user is named by the `sub`: user names and addresses are personal data.
///
/// Rules name the subject as soon as they know it, also where they refuse the call afterwards.
public final class CallSubject: Sendable {
  private struct State {
    var poolID, sub, warning: String?
    var factorFailures: FactorFailures?
    var closedCodes: ClosedCodes?
    var hasEndedSignIns = false
  }

  private let state = Mutex(State())

  /// A subject that is not known yet.
  public init() {}

  /// The pool's id; nil while it is unknown.
  public var poolID: String? { state.withLock { $0.poolID } }
  /// The user's `sub`; nil while it is unknown, and for calls that concern no user.
  public var sub: String? { state.withLock { $0.sub } }

  /// A warning about an effect of a call that its caller may not expect, as a sentence for the log without personal
  /// data; nil for nothing.
  public var warning: String? { state.withLock { $0.warning } }

  /// The wrong answers of a second factor in a row, of which this call's is the last one; nil for other calls.
  public var factorFailures: FactorFailures? { state.withLock { $0.factorFailures } }

  /// The codes instead of a password that a wrong one of this call has closed; nil for other calls.
  public var closedCodes: ClosedCodes? { state.withLock { $0.closedCodes } }

  /// True where the call has ended the user's sign-ins because of a password.
  public var hasEndedSignIns: Bool { state.withLock { $0.hasEndedSignIns } }

  /// Names the pool.
  package func isPool(_ id: String) { state.withLock { $0.poolID = id } }

  /// Names the user, and the user's pool.
  package func isUser(_ user: User) {
    state.withLock { state in
      state.poolID = user.poolID
      state.sub = user.sub
    }
  }

  /// Notes a wrong answer of a second factor.
  package func note(_ failures: FactorFailures) { state.withLock { $0.factorFailures = failures } }

  /// Notes codes that were closed.
  package func note(_ codes: ClosedCodes) { state.withLock { $0.closedCodes = codes } }

  /// Notes that sign-ins were ended.
  package func endedSignIns() { state.withLock { $0.hasEndedSignIns = true } }

  /// Sets the warning.
  package func warn(_ sentence: String) { state.withLock { $0.warning = sentence } }
}
