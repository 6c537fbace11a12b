internal import TokenSecurityBase

/// The handlers of a service's operations.
///
///     var table = OperationTable<Call, OperationError>()
///     table.on(GetID.self, service.getID)
///
/// A declared operation without a handler is answered with `NotImplementedException`.
public struct OperationTable<Context: Sendable, Failure: ServiceError>: Sendable {
  private typealias Decode =
    @Sendable (OperationRoute, consuming [UInt8]) throws(Failure) -> OperationCall<Context, Failure>

  private var handlers: [ObjectIdentifier: Decode] = [:]

  /// A table without handlers.
  public init() {}

  /// Sets the handler of an operation.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - handle: performs it.
  public mutating func on<Operation: ServiceOperation>(
    _ operation: Operation.Type,
    _ handle: @escaping @Sendable (Operation.Input, Context) async throws(Failure) -> Operation.Output
  ) {
    handlers[ObjectIdentifier(operation)] = { (route, body) throws(Failure) in
      let input: Operation.Input
      let ignored: Set<IgnoredMember>
      do throws(OperationError) {
        (input, ignored) = try Operation.request(route, body)
      } catch {
        throw Failure(error)
      }
      let binding = route.binding
      return OperationCall(
        declaration: route.declaration, ignored: ignored, texts: { input.texts(of: $0) },
        perform: { (context, requestID) throws(Failure) in
          let output = try await handle(input, context)
          return OperationOutcome(
            response: Operation.response(output, binding, requestID: requestID),
            changedNothing: output.changedNothing, declaration: route.declaration,
            texts: { output.texts(of: $0) })
        })
    }
  }

  /// True where the operation has a handler.
  ///
  /// - Parameter operation: the operation.
  /// - Returns: true where it has one.
  public func handles(_ operation: any ServiceOperation.Type) -> Bool {
    handlers[ObjectIdentifier(operation)] != nil
  }

  /// Reads a request and checks its members. The caller is authorized afterwards, by what the call names.
  ///
  /// - Parameters:
  ///   - route: the operation.
  ///   - body: the body. It is wiped where it had secrets, if nothing else refers to it.
  /// - Returns: the call.
  /// - Throws: the refusal of the members; `operationNotBuilt`.
  public func call(
    _ route: OperationRoute, _ body: consuming [UInt8]
  ) throws(Failure) -> OperationCall<Context, Failure> {
    guard let decode = handlers[ObjectIdentifier(route.operation)] else {
      throw Failure(.operationNotBuilt(route.declaration.name.text))
    }
    return try decode(route, body)
  }
}

/// A call whose members are valid.
public struct OperationCall<Context: Sendable, Failure: ServiceError>: Sendable {
  /// Name, access and errors.
  public let declaration: OperationDeclaration
  /// The members of the request that the operation does not declare, at most 16 of them.
  public let ignored: Set<IgnoredMember>
  let texts: @Sendable (ExactString) -> [String]
  let perform: @Sendable (Context, String) async throws(Failure) -> OperationOutcome

  /// The members that the call changes, as far as its input names them. Empty for an operation that changes
  /// nothing.
  public var changed: [ChangedMember] { ChangedMember.all(declaration) { texts($0) } }

  /// The objects that the call concerns, in the member that its access names: ids of pools or identities, or
  /// an ARN.
  public var targets: [String] {
    guard case .signed(let signature) = declaration.access, let name = signature.target.member else {
      return []
    }
    return texts(name)
  }

  /// The text, or the texts, of a member of the input.
  ///
  /// - Parameter name: the member.
  /// - Returns: the texts; empty for an absent member, and for another type.
  public func texts(of name: ExactString) -> [String] { texts(name) }

  /// Performs the operation.
  ///
  /// - Parameters:
  ///   - context: what the handler needs of the call.
  ///   - requestID: the id to report.
  /// - Returns: the response, and what its output names as changed.
  /// - Throws: the operation's errors.
  public func respond(_ context: Context, requestID: String) async throws(Failure) -> OperationOutcome {
    try await perform(context, requestID)
  }
}

/// The outcome of a call that was not refused.
public struct OperationOutcome: Sendable {
  /// The response.
  public let response: EncodedResponse
  /// True where the call changed nothing, although its operation can.
  public let changedNothing: Bool
  let declaration: OperationDeclaration
  let texts: @Sendable (ExactString) -> [String]

  /// The members that the call changed, as far as its output names them.
  public var changed: [ChangedMember] { ChangedMember.all(declaration) { texts($0) } }
}

/// A member that names what a call changes: a pool's id, an identity's.
public struct ChangedMember: Sendable, Hashable {
  /// The member.
  public let name: ExactString
  /// Its text or texts.
  public let texts: [String]

  static func all(
    _ declaration: OperationDeclaration, _ texts: (ExactString) -> [String]
  ) -> [ChangedMember] {
    guard let names = declaration.changes else { return [] }
    return names.compactMap { name in
      let texts = texts(name)
      return texts.isEmpty ? nil : ChangedMember(name: name, texts: texts)
    }
  }
}
