internal import CognitoIdentity
internal import CognitoUserPool
internal import Logging
internal import ServiceHosting
internal import ServiceOperations
internal import TokenLifetime

/// The data of a call for metrics and logs.
struct CallRecord {
  let requestID: String
  let start = ContinuousClock.now
  /// The sender's address.
  let address: String
  /// The protocol of the response.
  var binding: ServiceBinding
  /// The operation; nil until it is known.
  var route: OperationRoute?
  /// The access key or the identity whose signature was verified; empty for an unsigned call.
  var caller = ""
  /// The members that the call changes, as far as its input names them.
  var changing: @Sendable () -> [ChangedMember] = { [] }
  /// The objects that the call concerns, as its rules found out.
  var concerned: @Sendable () -> [(name: String, value: String)] = { [] }
  /// A warning about an effect of the call that its caller may not expect.
  var warning: @Sendable () -> String? = { nil }
  /// The wrong answers of a second factor in a row that the call has caused.
  var factor: @Sendable () -> FactorFailures? = { nil }
  /// The codes instead of a password that the call has closed.
  var closedCodes: @Sendable () -> ClosedCodes? = { nil }
  /// True where the call has ended sessions, also if it was refused afterwards.
  var endedSessions: @Sendable () -> Bool = { false }
  /// The name of the API that asks for a session's key.
  var api: String?
  /// The outcome of the call; nil for a refused call, and for one whose outcome is that of an earlier call.
  var outcome: OperationOutcome?
  var refusal: CallRefusal?
  /// Who the call counts for.
  var counted: [RateLimiter.Caller] = []
  /// The slots for its body and its response.
  var slots: LargeBodies.Slots?
  /// Where the request or the response has more than the usual bytes.
  var slot: LargeBodies.Slot?

  init(_ requestID: String, address: String, binding: ServiceBinding) {
    self.requestID = requestID
    self.address = address
    self.binding = binding
  }

  /// The operation's name for metrics and logs, which is not the caller's text.
  var operation: String { route?.metricLabel ?? "unknown" }

  /// The stable code of the outcome.
  var code: String { refusal?.codeText ?? "ok" }

  /// True for a call that may have changed something, and for a refused one of an authenticated caller.
  /// Strangers cannot fill the log with refused calls: those that count for a second factor come after the password,
  /// and a few counts in a row are named; those that close codes come after 20 that were counted; those that have ended
  /// sessions come after a new password.
  private var isAudited: Bool {
    if route?.declaration.isOfSigningKeys == true { return isForbiddenQuestion }
    guard route?.declaration.changes != nil, outcome?.changedNothing != true else { return false }
    guard caller.isEmpty, let refusal else { return true }
    return refusal.status >= 500 || factor()?.isAudited == true || closedCodes() != nil || endedSessions()
  }

  /// True for a question for a session's key that its caller may not ask. What an API may ask has no line: it asks for each
  /// of its sessions once a minute, and strangers make sessions up. A refusal by policies has a line of its own.
  private var isForbiddenQuestion: Bool {
    guard let refusal else { return false }
    return refusal.isOfCaller && refusal.ofPolicies == nil
  }

  /// The API and the code of a question for a session's key that its caller may ask; nil for another call.
  var question: (api: String, code: String)? {
    guard let api, refusal?.isOfCaller != true else { return nil }
    return (api, code)
  }

  /// Logs an audit line and a warning where they are due, and each call for debugging. Errors of the service are
  /// logged with the reason; for other errors the caller gets the reason.
  ///
  /// - Parameters:
  ///   - logger: the log.
  ///   - failures: bounds the lines of errors of the service, which every caller sees.
  ///   - nanoseconds: the duration of the call.
  func log(to logger: Logger, failures: ReportLimit, nanoseconds: Int64) {
    if isAudited {
      logger.log(.info, "audit", with: result + members)
    }
    // Strangers cannot cause it.
    if !caller.isEmpty, let warning = warning() {
      logger.log(.warning, "\(warning)", with: result + concerned())
    }
    if let refused = refusal?.ofPolicies {
      logger.log(
        .info, "denied by policies",
        with: result + [
          ("session", refused.caller), ("action", refused.action), ("resource", refused.resource),
          ("reason", refused.reason), ("explanation", refused.explanation),
        ])
    }
    let isFailure = refusal?.status == 500
    guard isFailure || logger.logLevel <= .debug else { return }
    var values = result
    values += [
      ("milliseconds", "\(Double(nanoseconds / 10_000) / 100)"), ("reason", refusal?.hiddenReason ?? ""),
    ]
    if isFailure, let before = failures.report(code) {
      logger.log(.error, "call", with: values + [("before", "\(before)")])
    } else {
      logger.log(.debug, "call", with: values)
    }
  }

  private var result: [(name: String, value: String)] {
    [
      ("operation", operation), ("code", code), ("caller", caller), ("address", address),
      ("request", requestID),
    ]
  }

  /// The members that name what is changed. The output has the ids of what was made.
  private var members: [(name: String, value: String)] {
    var texts = concerned() + (api.map { [("api", $0)] } ?? [])
    for member in (outcome?.changed ?? []) + changing()
    where !texts.contains(where: { $0.name == member.name.text }) {
      texts.append((member.name.text, member.texts.joined(separator: " ")))
    }
    return texts
  }
}
