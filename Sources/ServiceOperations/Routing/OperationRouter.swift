internal import TokenSecurityEncodings

/// The head of a request, as routing needs it.
public struct OperationRequestHead: Sendable {
  /// The method.
  public var method: String
  /// The path and query as the client sent them.
  public var target: String
  /// The header fields.
  public var headers: [(name: String, value: String)]

  /// A head.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path and query as the client sent them.
  ///   - headers: the header fields.
  public init(method: String, target: String, headers: [(name: String, value: String)]) {
    self.method = method
    self.target = target
    self.headers = headers
  }

  func header(_ name: String) -> String? {
    for index in headers.indices where headers[index].name.isEqualIgnoringASCIICase(to: name) {
      return headers[index].value
    }
    return nil
  }

  /// The value of a header field that a request has at most once: of two, another program may read the other.
  func onlyHeader(_ name: String) throws(OperationError) -> String? {
    var value: String?
    for index in headers.indices where headers[index].name.isEqualIgnoringASCIICase(to: name) {
      guard value == nil else { throw .serialization(rule: "the header field \(name) is duplicated") }
      value = headers[index].value
    }
    return value
  }
}

/// Selects operations of several services on one address, before the body is read wherever the protocol
/// allows it.
public struct OperationRouter: Sendable {
  private struct Path: Sendable {
    let method: ExactString
    let template: PathTemplate
    let entry: Entry
  }

  private struct Entry: Sendable {
    let operation: any ServiceOperation.Type
    let binding: ServiceBinding

    func route(_ fields: FieldTree = FieldTree()) -> OperationRoute {
      OperationRoute(
        operation: operation, declaration: operation.declaration, binding: binding, fields: fields)
    }
  }

  private var targets: [ExactString: Entry] = [:]
  private var actions: [ExactString: [ExactString: Entry]] = [:]
  private var paths: [Path] = []
  /// The names for metrics: those of the declared operations, and `unknown`.
  public private(set) var metricLabels: [String] = ["unknown"]

  /// The most bytes of a path and query.
  public static let targetLimit = 16_384

  /// A router.
  ///
  /// - Parameter services: the services.
  public init(_ services: ServiceDeclaration...) { self.init(services) }

  /// A router.
  ///
  /// - Parameter services: the services.
  public init(_ services: [ServiceDeclaration]) {
    for service in services {
      for operation in service.operations {
        let entry = Entry(operation: operation, binding: service.binding)
        let name = operation.declaration.name
        metricLabels.append(name.text)
        switch service.binding {
        case .json(let prefix): targets[ExactString("\(prefix).\(name)")] = entry
        case .query(let version, _): actions[name, default: [:]][version] = entry
        case .rest:
          guard let route = operation.declaration.route else { continue }
          paths.append(Path(method: route.method, template: PathTemplate(route.template), entry: entry))
        }
      }
    }
  }

  /// Selects the operation by the request's head. Nil for a form, whose body names the operation.
  ///
  /// - Parameter head: the head.
  /// - Returns: the operation, or nil for a form.
  /// - Throws: `operationUnknown`, `serialization`.
  public func route(_ head: OperationRequestHead) throws(OperationError) -> OperationRoute? {
    if let target = try head.onlyHeader("X-Amz-Target") {
      guard let entry = targets[ExactString(target)] else {
        throw .operationUnknown(target)
      }
      return entry.route()
    }
    if !actions.isEmpty, head.method == "POST", Self.isForm(head.header("Content-Type") ?? "") { return nil }
    return try path(head)
  }

  private static func isForm(_ type: String) -> Bool {
    let form = "application/x-www-form-urlencoded"
    let type = type.lowercasedASCII
    return type == form || type.hasPrefix(form + ";") || type.hasPrefix(form + " ")
  }

  /// Selects the operation of a form.
  ///
  /// - Parameter body: the form.
  /// - Returns: the operation.
  /// - Throws: `operationUnknown`, `serialization`, `bodyTooLarge`.
  public func route(form body: [UInt8]) throws(OperationError) -> OperationRoute {
    let limit = OperationDeclaration.bodyLimit
    guard body.count <= limit else { throw .bodyTooLarge(limit: limit) }
    var fields = FieldTree()
    var action: String?
    var version: String?
    for (name, value) in try FieldTree.fields(body.span) {
      var isNew = true
      switch name {
      case "Action":
        isNew = action == nil
        action = value
      case "Version":
        isNew = version == nil
        version = value
      default: isNew = fields.insert(path: name, value)
      }
      guard isNew else { throw .serialization(rule: "a field is duplicated") }
    }
    guard let entry = actions[ExactString(action ?? "")]?[ExactString(version ?? "")] else {
      throw .operationUnknown("\(action ?? "") (version \(version ?? "none"))")
    }
    return entry.route(fields)
  }

  /// Selects the operation by method and path. The path is split first and decoded once.
  private func path(_ head: OperationRequestHead) throws(OperationError) -> OperationRoute {
    guard head.target.utf8.count <= Self.targetLimit else {
      throw .serialization(rule: "the path and query have more than \(Self.targetLimit) bytes")
    }
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
      for member in OperationSchema(path.entry.operation).input {
        guard case .header(let name) = member.location, let value = try head.onlyHeader(name.text) else {
          continue
        }
        _ = fields.insert(name.text, value, into: FieldTree.headers)
      }
      return path.entry.route(fields)
    }
    throw .operationUnknown("\(head.method) \(parts[0])")
  }
}
