internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import ServiceOperations

/// A service that ``CallHandler`` serves: its declaration, and how its calls are read and authorized.
struct ServedService: Sendable {
  let declaration: ServiceDeclaration
  /// Reads a call and checks that its caller may make it. The signature was verified.
  let call: @Sendable (OperationRoute, consuming [UInt8], CallOrigin) async throws(CallRefusal) -> ServedCall
  /// Checks by the head of a request what its caller may call, before a large body is read.
  let admit: @Sendable (OperationRoute, SignedCallers.Caller) throws(CallRefusal) -> Void

  /// Serves the operations of a declaration.
  ///
  /// - Parameters:
  ///   - declaration: the service.
  ///   - concerned: what a call concerns, for audit logs. Default: nothing but what its members name.
  ///   - admit: checks what a caller may call, before a large body is read. Default: nothing.
  ///   - warning: what a call did that its caller may not expect, for the log. Default: nothing.
  ///   - factor: the wrong answers of a second factor in a row that a call has caused. Default: none.
  ///   - closedCodes: the codes instead of a password that a call has closed. Default: none.
  ///   - endedSessions: true where a call has ended sessions, also one that is refused afterwards. Default: none does.
  ///   - call: reads a call and authorizes its caller. It returns the call with what its handler gets besides the
  ///     input.
  init<Context, Failure>(
    _ declaration: ServiceDeclaration,
    concerned: @escaping @Sendable (Context) -> [(name: String, value: String)] = { _ in [] },
    admit: @escaping @Sendable (OperationRoute, SignedCallers.Caller) throws(CallRefusal) -> Void = { _, _ in
    },
    warning: @escaping @Sendable (Context) -> String? = { _ in nil },
    factor: @escaping @Sendable (Context) -> FactorFailures? = { _ in nil },
    closedCodes: @escaping @Sendable (Context) -> ClosedCodes? = { _ in nil },
    endedSessions: @escaping @Sendable (Context) -> Bool = { _ in false },
    call:
      @escaping @Sendable (OperationRoute, consuming [UInt8], CallOrigin) async throws(CallRefusal)
      -> (OperationCall<Context, Failure>, Context)
  ) {
    self.declaration = declaration
    self.admit = admit
    self.call = { (route, body, origin) throws(CallRefusal) in
      let (call, context) = try await call(route, body, origin)
      return ServedCall(call, context, concerned, warning, factor, closedCodes, endedSessions)
    }
  }
}

/// A call whose members are valid, and whose caller may make it.
struct ServedCall: Sendable {
  /// The members of the request that are ignored.
  let ignored: Set<IgnoredMember>
  /// The members that the call changes, as far as its input names them.
  let changed: @Sendable () -> [ChangedMember]
  /// The objects that the call concerns, as its rules found out.
  let concerned: @Sendable () -> [(name: String, value: String)]
  /// A warning about an effect of the call that its caller may not expect.
  let warning: @Sendable () -> String?
  /// The wrong answers of a second factor in a row that the call has caused.
  let factor: @Sendable () -> FactorFailures?
  /// The codes instead of a password that the call has closed.
  let closedCodes: @Sendable () -> ClosedCodes?
  /// True where the call has ended sessions, also if it was refused afterwards.
  let endedSessions: @Sendable () -> Bool
  /// The name of the API that asks for a session's key; nil for another call.
  let api: String?
  /// Performs the call and reports the request's id.
  let respond: @Sendable (String) async throws(CallRefusal) -> OperationOutcome

  init<Context, Failure>(
    _ call: OperationCall<Context, Failure>, _ context: Context,
    _ concerned: @escaping @Sendable (Context) -> [(name: String, value: String)],
    _ warning: @escaping @Sendable (Context) -> String?,
    _ factor: @escaping @Sendable (Context) -> FactorFailures?,
    _ closedCodes: @escaping @Sendable (Context) -> ClosedCodes?,
    _ endedSessions: @escaping @Sendable (Context) -> Bool
  ) {
    ignored = call.ignored
    api = call.declaration.isOfSigningKeys ? call.texts(of: "Service").first : nil
    changed = { call.changed }
    self.concerned = { concerned(context) }
    self.warning = { warning(context) }
    self.factor = { factor(context) }
    self.closedCodes = { closedCodes(context) }
    self.endedSessions = { endedSessions(context) }
    respond = { requestID throws(CallRefusal) in
      do throws(Failure) {
        return try await call.respond(context, requestID: requestID)
      } catch {
        throw CallRefusal(error)
      }
    }
  }
}

extension OperationDeclaration {
  /// True for the call by which an API asks for a session's key.
  var isOfSigningKeys: Bool {
    guard case .signed(let signature) = access else { return false }
    return signature.target == .signingKey
  }
}

/// Why a call is refused, whichever service refuses it.
struct CallRefusal: ServiceError {
  /// The code of the error.
  struct Code: RawRepresentable, Hashable, Sendable {
    private let text: ExactString
    var rawValue: String { text.text }

    init(rawValue text: String) { self.text = ExactString(text) }

    // Those of `RawRepresentable` would compare strings by Unicode's rules.
    static func == (a: Code, b: Code) -> Bool { a.text == b.text }
    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
  }

  private let error: any ServiceError

  init(_ error: any ServiceError) { self.error = error }
  init(_ error: OperationError) { self.error = error }

  var details: (code: Code, sentence: String) { (.init(rawValue: error.codeText), error.description) }
  var type: String { error.type }
  var status: Int { error.status }
  var publicMessage: String { error.publicMessage }

  func reported(in binding: ServiceBinding) -> (type: String, status: Int) { error.reported(in: binding) }

  /// The error as it is kept for repeated calls. Errors of a service are not kept.
  var remembered: IdentityError {
    if let error = error as? IdentityError { return error }
    switch error as? UserPoolError {
    case .storeBusy, .tooMuchWork: return .storeBusy
    default: break
    }
    if case .storeBusy? = error as? SyncError { return .storeBusy }
    return status >= 500
      ? .storeFailed("\(error)")
      : .callRepeated(code: error.codeText, type: error.type, message: error.publicMessage)
  }

  /// The refusal by the policies of the caller's role; nil for another one.
  var ofPolicies: PolicyRefusal? {
    if case .policyRefused(let refusal)? = error as? IdentityError { return refusal }
    if case .identity(.policyRefused(let refusal))? = error as? SyncError { return refusal }
    return nil
  }

  /// True where the caller may not make such a call, whatever it is about.
  var isOfCaller: Bool {
    switch error as? IdentityError {
    case .callerForbidden, .policyRefused: true
    default: false
    }
  }

  /// The reason, where the caller does not get it.
  var hiddenReason: String? {
    let reason = error.description
    return reason.isIdentical(to: error.publicMessage) ? nil : reason
  }
}
