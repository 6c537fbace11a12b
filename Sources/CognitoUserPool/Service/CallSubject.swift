internal import Synchronization

/// The pool and the user that a call concerns, for audit logs. A user is named by the `sub`: user names and
/// addresses are personal data.
///
/// Rules name the subject as soon as they know it, also where they refuse the call afterwards.
public final class CallSubject: Sendable {
  private let state = Mutex<(poolID: String?, sub: String?)>((nil, nil))

  /// A subject that is not known yet.
  public init() {}

  /// The pool's id; nil while it is unknown.
  public var poolID: String? { state.withLock { $0.poolID } }
  /// The user's `sub`; nil while it is unknown, and for calls that concern no user.
  public var sub: String? { state.withLock { $0.sub } }

  /// Names the pool.
  package func isPool(_ id: String) { state.withLock { $0.poolID = id } }

  /// Names the user, and the user's pool.
  package func isUser(_ user: User) { state.withLock { $0 = (user.poolID, user.sub) } }
}
