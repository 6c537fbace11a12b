internal import TokenSecurityBase

/// Selects operations of several services on one address, before the body is read wherever the protocol
/// allows it.
public struct OperationRouter: Sendable {
  private struct Path: Sendable {
    let method: ExactString
    let template: PathTemplate
    /// The header fields that are members.
    let headers: [ExactString]
    let entry: Entry

    init(_ route: HTTPRoute, _ entry: Entry) {
      method = route.method
      template = PathTemplate(route.template)
      headers = OperationSchema(entry.operation).input.compactMap { member in
        if case .header(let name) = member.location { name } else { nil }
      }
      self.entry = entry
    }
  }

  private struct Entry: Sendable {
    let operation: any ServiceOperation.Type
    let binding: ServiceBinding
    let metricLabel: String

    func route(_ fields: FieldTree = FieldTree()) -> OperationRoute {
      OperationRoute(
        operation: operation, declaration: operation.declaration, binding: binding, metricLabel: metricLabel,
        fields: fields)
    }
  }

  private var targets: [ExactString: Entry] = [:]
  /// The names of known operations that are not declared, by their targets.
  private var notBuilt: [ExactString: ExactString] = [:]
  private var actions: [ExactString: [ExactString: Entry]] = [:]
  private var paths: [Path] = []
  /// The names of known operations that are not declared, by method and path.
  private var pathsNotBuilt: [(method: ExactString, template: PathTemplate, name: ExactString)] = []
  /// The names for metrics: those of the declared operations, and `unknown`. Of several operations with one
  /// name, that of the first service keeps it; the others have their service's name in signatures before it:
  /// `cognito-idp.TagResource`.
  public private(set) var metricLabels: [String] = ["unknown"]

  /// Maximum size of a path and query in bytes.
  public static let targetLimit = 16_384

  /// A router.
  ///
  /// - Parameter services: the services.
  public init(_ services: ServiceDeclaration...) { self.init(services) }

  /// A router.
  ///
  /// - Parameter services: the services.
  public init(_ services: [ServiceDeclaration]) {
    var names: Set<ExactString> = []
    for service in services {
      if case .json(let prefix) = service.binding {
        for name in service.notBuilt { notBuilt[ExactString("\(prefix).\(name)")] = name }
      }
      for (name, route) in service.routesNotBuilt {
        pathsNotBuilt.append((route.method, PathTemplate(route.template), name))
      }
      for operation in service.operations {
        let name = operation.declaration.name
        let label = names.insert(name).inserted ? name.text : "\(service.signingName).\(name)"
        let entry = Entry(operation: operation, binding: service.binding, metricLabel: label)
        metricLabels.append(label)
        switch service.binding {
        case .json(let prefix): targets[ExactString("\(prefix).\(name)")] = entry
        case .query(let version, _): actions[name, default: [:]][version] = entry
        case .rest:
          guard let route = operation.declaration.route else { continue }
          paths.append(Path(route, entry))
        }
      }
    }
  }

  /// Selects the operation by the request's head. Nil for a call of the query protocol: ``route(form:_:)`` selects its
  /// operation, once the body is read.
  ///
  /// - Parameter head: the head.
  /// - Returns: the operation, or nil for a call of the query protocol.
  /// - Throws: `operationUnknown`, `operationNotBuilt`, `serialization`.
  public func route(_ head: OperationRequestHead) throws(OperationError) -> OperationRoute? {
    if let target = try head.onlyHeader("X-Amz-Target") {
      // A program before the service may see what method and path name.
      guard head.isPostOfRoot else { throw .operationUnknown("\(head.method) \(head.path)") }
      guard let entry = targets[ExactString(target)] else {
        if let name = notBuilt[ExactString(target)] { throw .operationNotBuilt(name.text) }
        throw .operationUnknown(target)
      }
      return entry.route()
    }
    if !actions.isEmpty, head.isPostOfRoot, Self.isForm(head.header("Content-Type") ?? "") { return nil }
    if hasAction(method: head.method, target: head.target) { return nil }
    return try path(head)
  }

  /// True for a call of the query protocol whose parameters are in the query: `GET` or `POST` of `/` with an `Action`.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path and query as the client sent them.
  /// - Returns: whether it is one.
  public func hasAction(method: String, target: String) -> Bool {
    let parts = target.parts(at: "?", most: 2)
    guard !actions.isEmpty, method == "GET" || method == "POST", parts.count == 2, parts[0] == "/" else {
      return false
    }
    return parts[1].utf8.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "Action=".utf8) }
  }

  private static func isForm(_ type: String) -> Bool {
    let form = "application/x-www-form-urlencoded"
    let type = type.lowercasedASCII
    return type == form || type.hasPrefix(form + ";") || type.hasPrefix(form + " ")
  }

  /// Selects the operation of a call of the query protocol. The parameters are in the form or in the query, never in
  /// both: programs differ in which of the two they read.
  ///
  /// - Parameters:
  ///   - body: the form; empty for parameters in the query.
  ///   - head: the request's head. Nil: there is no query.
  /// - Returns: the operation.
  /// - Throws: `operationUnknown`, `serialization`, `bodyTooLarge`.
  public func route(
    form body: [UInt8], _ head: OperationRequestHead? = nil
  ) throws(OperationError) -> OperationRoute {
    let limit = OperationDeclaration.bodyLimit
    guard body.count <= limit else { throw .bodyTooLarge(limit: limit) }
    var fields = FieldTree()
    var action: String?
    var version: String?
    for (name, value) in try Self.fields(body, head) {
      switch name {
      case "Action": try Self.set(&action, value)
      case "Version": try Self.set(&version, value)
      default: try fields.insert(path: name, value)
      }
    }
    guard let entry = actions[ExactString(action ?? "")]?[ExactString(version ?? "")] else {
      throw .operationUnknown("\(action ?? "") (version \(version ?? "none"))")
    }
    return entry.route(fields)
  }

  /// The parameters of a signature in a query, which are not members (AWS Signature Version 4): those of a verifier,
  /// which checks them.
  private static let signatureParameters: Set<ExactString> = [
    "X-Amz-Algorithm", "X-Amz-Content-Sha256", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
    "X-Amz-Region-Set", "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-SignedHeaders",
  ]

  private static func fields(
    _ body: [UInt8], _ head: OperationRequestHead?
  ) throws(OperationError) -> [(name: String, value: String)] {
    guard let head, let query = head.query else { return try FieldTree.fields(body.span) }
    try check(target: head.target)
    let parameters = try FieldTree.fields(query.utf8.span).filter {
      !signatureParameters.contains(ExactString($0.name))
    }
    guard !parameters.isEmpty else { return try FieldTree.fields(body.span) }
    guard body.isEmpty else {
      throw .serialization(rule: "there are parameters in the query, and a body: one of them must be empty")
    }
    return parameters
  }

  private static func check(target: String) throws(OperationError) {
    guard target.utf8.count <= targetLimit else {
      throw .serialization(rule: "the path and query have more than \(targetLimit) bytes")
    }
  }

  private static func set(_ field: inout String?, _ value: String) throws(OperationError) {
    guard field == nil else { throw .serialization(rule: FieldTree.duplicated) }
    field = value
  }

  /// Selects the operation by method and path. The path is split first and decoded once.
  private func path(_ head: OperationRequestHead) throws(OperationError) -> OperationRoute {
    try Self.check(target: head.target)
    let parts = head.target.parts(at: "?", most: 2)
    let segments = parts[0].parts(at: "/").dropFirst().map { ExactString($0) }
    for path in paths where path.method == ExactString(head.method) {
      guard let labels = path.template.match(segments) else { continue }
      var fields = FieldTree()
      for (name, value) in labels {
        guard let text = FieldTree.decode(value.text.utf8.span, plusIsSpace: false) else {
          throw .serialization(rule: "the path is not properly percent-encoded")
        }
        guard !PathTemplate.isRemovable(text) else {
          throw .serialization(rule: "a label of the path is a dot segment")
        }
        _ = fields.insert(name.text, text, into: FieldTree.labels)
      }
      for (name, value) in parts.count == 2 ? try FieldTree.fields(parts[1].utf8.span) : [] {
        guard fields.insert(name, value, into: FieldTree.parameters) else {
          throw .serialization(rule: "a parameter is duplicated")
        }
      }
      for name in path.headers {
        guard let value = try head.onlyHeader(name.text) else { continue }
        _ = fields.insert(name.text, value, into: FieldTree.headers)
      }
      return path.entry.route(fields)
    }
    for path in pathsNotBuilt
    where path.method == ExactString(head.method) && path.template.match(segments) != nil {
      throw .operationNotBuilt(path.name.text)
    }
    throw .operationUnknown("\(head.method) \(head.path)")
  }
}
