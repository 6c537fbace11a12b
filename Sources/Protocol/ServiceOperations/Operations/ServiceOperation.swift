/// An operation, declared once for service and clients.
///
///     enum GetID: ServiceOperation {
///       static let declaration = OperationDeclaration(
///         "GetId", .anyone, "Finds the identity of logins, or makes a new one.",
///         errors: [ErrorDeclaration("NotAuthorizedException")])
///
///       struct Input: Structure {
///         var poolID = ""
///
///         mutating func members(_ m: inout Members) {
///           m.required("IdentityPoolId", &poolID, TextBounds(1...55))
///         }
///       }
///
///       struct Output: Structure {
///         var identityID: String?
///
///         mutating func members(_ m: inout Members) { m.optional("IdentityId", &identityID, .any) }
///       }
///     }
public protocol ServiceOperation: Sendable {
  /// The input.
  associatedtype Input: Structure = NoMembers
  /// The output.
  associatedtype Output: Structure = NoMembers

  /// Name, access, errors and route.
  static var declaration: OperationDeclaration { get }
}

/// An error that an operation may report.
public struct ErrorDeclaration: Sendable, Hashable {
  /// The name in the protocol, such as `NotAuthorizedException`.
  public let name: ExactString
  /// The HTTP status.
  public let status: Int

  /// An error.
  ///
  /// - Parameters:
  ///   - name: the name in the protocol.
  ///   - status: the HTTP status.
  public init(_ name: ExactString, status: Int = 400) {
    self.name = name
    self.status = status
  }
}

/// The declaration of an operation besides its members.
public struct OperationDeclaration: Sendable {
  /// The name in the protocol.
  public let name: ExactString
  /// Who may call it.
  public let access: OperationAccess
  /// One sentence for the reference.
  public let summary: String
  /// The errors of its own. Those of ``OperationError`` come with every operation.
  public let errors: [ErrorDeclaration]
  /// The members of input and output that name what a call changes, for audit logs; nil for an operation that
  /// changes nothing. A member of a structure has its structure's name before it: `UserPool.Id`.
  public let changes: [ExactString]?
  /// Method and path, for REST-JSON.
  public let route: HTTPRoute?
  /// True where a member that is not declared is refused instead of ignored.
  public let refusesUnknownMembers: Bool
  /// Maximum size of a request's body in bytes.
  public let bodyLimit: Int
  /// True where a call that is executed again is refused, or changes nothing: what it names shows that it was
  /// executed. Its response need not be kept for repeated calls.
  public let isRefusedAgain: Bool

  /// The limit of bodies by default: 1 MiB.
  public static let bodyLimit = 1 << 20

  /// A declaration.
  ///
  /// - Parameters:
  ///   - name: the name in the protocol.
  ///   - access: who may call it.
  ///   - summary: one sentence for the reference.
  ///   - route: method and path, for REST-JSON.
  ///   - errors: the errors of its own.
  ///   - changes: the members of input and output that name what a call changes. Default: it changes nothing.
  ///   - refusesUnknownMembers: true where a member that is not declared is refused instead of ignored.
  ///   - bodyLimit: the most bytes of a request's body.
  ///   - isRefusedAgain: true where a call that is executed again is refused, or changes nothing.
  public init(
    _ name: ExactString, _ access: OperationAccess, _ summary: String, route: HTTPRoute? = nil,
    errors: [ErrorDeclaration] = [], changes: [ExactString]? = nil, refusesUnknownMembers: Bool = false,
    bodyLimit: Int = OperationDeclaration.bodyLimit, isRefusedAgain: Bool = false
  ) {
    self.name = name
    self.access = access
    self.summary = summary
    self.route = route
    self.errors = errors
    self.changes = changes
    self.refusesUnknownMembers = refusesUnknownMembers
    self.bodyLimit = bodyLimit
    self.isRefusedAgain = isRefusedAgain
  }
}

/// A service: its protocol and its operations.
public struct ServiceDeclaration: Sendable {
  /// The name for people.
  public let title: String
  /// The name in signatures, such as `cognito-identity`.
  public let signingName: ExactString
  /// How its operations travel.
  public let binding: ServiceBinding
  /// The operations, in their order in the reference.
  public let operations: [any ServiceOperation.Type]
  /// The names of operations that the service's model has and this declaration does not. They are answered as
  /// declared operations without a handler are. For ``ServiceBinding/json(targetPrefix:)``.
  public let notBuilt: [ExactString]
  /// The same for ``ServiceBinding/rest``, with their methods and paths.
  public let routesNotBuilt: [(name: ExactString, route: HTTPRoute)]
  /// The names of members that the service's model has and these declarations do not.
  public let membersNotBuilt: Set<ExactString>
  /// The model that names and bounds are from, with its version; nil for a service without one.
  public let model: String?

  /// A service.
  ///
  /// - Parameters:
  ///   - title: the name for people.
  ///   - signingName: the name in signatures.
  ///   - binding: how its operations travel.
  ///   - operations: the operations.
  ///   - model: the model that names and bounds are from, with its version. Default: none.
  ///   - notBuilt: the names of operations that are known and not declared.
  ///   - routesNotBuilt: the same with their methods and paths, for REST-JSON.
  ///   - membersNotBuilt: the names of members that are known and not declared.
  public init(
    _ title: String, signingName: ExactString, _ binding: ServiceBinding,
    _ operations: [any ServiceOperation.Type], model: String? = nil, notBuilt: [ExactString] = [],
    routesNotBuilt: [(name: ExactString, route: HTTPRoute)] = [], membersNotBuilt: Set<ExactString> = []
  ) {
    self.model = model
    self.membersNotBuilt = membersNotBuilt
    self.notBuilt = notBuilt
    self.routesNotBuilt = routesNotBuilt
    self.title = title
    self.signingName = signingName
    self.binding = binding
    self.operations = operations
  }
}

/// An operation's declaration with its members.
public struct OperationSchema: Sendable {
  /// Name, access, errors and route.
  public let declaration: OperationDeclaration
  /// The input's members.
  public let input: [MemberSchema]
  /// The output's members.
  public let output: [MemberSchema]

  /// The schema of an operation.
  ///
  /// - Parameter operation: the operation.
  public init(_ operation: any ServiceOperation.Type) { self = Self.make(operation) }

  private static func make<Operation: ServiceOperation>(_ operation: Operation.Type) -> OperationSchema {
    OperationSchema(
      declaration: operation.declaration, input: Operation.Input.schema, output: Operation.Output.schema)
  }

  private init(declaration: OperationDeclaration, input: [MemberSchema], output: [MemberSchema]) {
    self.declaration = declaration
    self.input = input
    self.output = output
  }
}
