internal import TokenSecurityBase

/// Actions by method, and a resource with a place for the path.
package struct AccessTemplate: Sendable, Hashable {
  private let actions: [ExactString: ExactString]
  private let resource: [Piece]
  private let prefix: [ExactString]

  private enum Piece: Sendable, Hashable {
    case text(String)
    case path
    case method
  }

  /// Makes a template.
  ///
  /// - Parameters:
  ///   - actions: the action for each method, in upper case.
  ///   - resource: a text with `{path}` and `{method}`: `arn:aws:orders:::{path}`.
  ///   - prefix: what paths begin with and resources do not have: `/v1`. Empty for nothing.
  /// - Throws: `templateInvalid` for another name in braces, for a wildcard in a longer
  ///   resource than `*`, and for a prefix that is no path.
  package init(
    actions: [(method: String, action: String)], resource: String, prefix: String
  ) throws(AccessMappingError) {
    self.actions = Dictionary(
      actions.map { (ExactString($0.method), ExactString($0.action)) },
      uniquingKeysWith: { first, _ in first })
    let hasWildcard = resource.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    guard !hasWildcard || resource.isIdentical(to: "*") else {
      throw .templateInvalid(
        rule: "the resource \(resource.quoted) has a wildcard: a request is for one resource")
    }
    self.resource = try Self.pieces(resource)
    self.prefix = try prefix.isEmpty ? [] : ResourcePath(Array(prefix.utf8)).segments.map { ExactString($0) }
    guard self.prefix.last != "" else {
      throw .templateInvalid(rule: "the prefix \(prefix.quoted) ends with a slash")
    }
  }

  /// Whether a text is the name of one action, `SERVICE:NAME`. A wildcard would be another action than those that policies name:
  /// what denies one of them would not apply.
  package static func isAction(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"*?".utf8.contains($0) }
  }

  private static func pieces(_ template: String) throws(AccessMappingError) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Array(template.utf8)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      pieces.append(.text(String(decoding: rest[..<open], as: UTF8.self)))
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) else {
        throw .templateInvalid(rule: "the resource \(template.quoted) has a brace without its other one")
      }
      let name = String(decoding: rest[(open + 1)..<close], as: UTF8.self)
      switch ExactString(name) {
      case "path": pieces.append(.path)
      case "method": pieces.append(.method)
      default:
        throw .templateInvalid(
          rule:
            "the resource \(template.quoted) has {\(name.visible(upTo: 64))}; it can have {path} and {method}"
        )
      }
      rest = rest[(close + 1)...]
    }
    return pieces + [.text(String(decoding: rest, as: UTF8.self))]
  }

  func access(of method: String, _ path: ResourcePath) throws(AccessMappingError) -> RequestedAccess {
    guard let action = actions[ExactString(method)] else {
      throw .unmapped("the method \(method.quoted) has none")
    }
    let segments = path.segments
    guard segments.count > prefix.count,
      zip(prefix, segments).allSatisfy({ $0.0 == ExactString($0.1) })
    else { throw .unmapped("the path does not begin with the route's prefix") }
    let rest = segments[prefix.count...].joined(separator: "/")
    var text = ""
    for piece in resource {
      switch piece {
      case .text(let part): text += part
      case .path: text += rest
      case .method: text += method
      }
    }
    return RequestedAccess(action.text, on: text)
  }
}

/// Requests as Amazon API Gateway reads them: `execute-api:Invoke` on
/// `arn:aws:execute-api:REGION:ACCOUNT:API/STAGE/METHOD/PATH`.
package struct ExecuteAPIForm: Sendable, Hashable {
  private let start: String
  private let stage: String?

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - region: the region.
  ///   - account: the account's number.
  ///   - api: the id of the API.
  ///   - stage: the stage; nil where it is the first segment of paths.
  package init(region: String, account: String, api: String, stage: String?) {
    start = "arn:aws:execute-api:\(region):\(account):\(api)/"
    self.stage = stage
  }

  func access(of method: String, _ path: ResourcePath) throws(AccessMappingError) -> RequestedAccess {
    guard !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw .unmapped("the method \(method.quoted) is not in upper case")
    }
    var segments = path.segments[...]
    let name: String
    if let stage {
      name = stage
    } else {
      name = segments.popFirst() ?? ""
      guard !name.isEmpty else { throw .unmapped("the path has no stage") }
    }
    let rest = segments.joined(separator: "/")
    return RequestedAccess("execute-api:Invoke", on: "\(start)\(name)/\(method)/\(rest)")
  }
}
