internal import TokenSecurityBase

/// The reference of services in Markdown, made from their declarations.
package enum ReferencePage {
  /// The page.
  ///
  /// - Parameter services: the services.
  /// - Returns: the page's text.
  package static func markdown(_ services: [ServiceDeclaration]) -> String {
    var lines = [
      "# Operations", "",
      "This page is made from the declarations of the operations. A test compares it with them, and",
      "`TOKEN_SECURITY_WRITE_REFERENCE=1 swift test --filter ReferencePage` writes it.", "",
      "A member marked with an asterisk must be present. Lengths of texts are counted in characters (Unicode",
      "scalars) unless bytes are named. Values of secret members never appear in messages. Members that are not",
      "listed are ignored and counted (`identity_ignored_members_total`), unless their operation refuses them.",
      "",
    ]
    for service in services { lines += section(service) }
    return lines.joined(separator: "\n")
  }

  private static func section(_ service: ServiceDeclaration) -> [String] {
    var lines = ["## \(service.title)", "", binding(service.binding), ""]
    if let model = service.model {
      lines += ["Names and bounds are those of the model of `\(service.signingName)` in \(model).", ""]
    }
    let notBuilt = service.notBuilt + service.routesNotBuilt.map(\.name)
    if !notBuilt.isEmpty {
      let names = notBuilt.map { "`\($0)`" }.joined(separator: ", ")
      lines += ["\(notBuilt.count) operations are answered with `NotImplementedException`: \(names).", ""]
    }
    if !service.membersNotBuilt.isEmpty {
      let names = service.membersNotBuilt.sorted().map { "`\($0)`" }.joined(separator: ", ")
      lines += ["Members of the model that are not listed: \(names).", ""]
    }
    for operation in service.operations {
      let schema = OperationSchema(operation)
      let declaration = schema.declaration
      lines += ["### \(declaration.name)", "", declaration.summary, ""]
      if let route = declaration.route { lines += ["`\(route.method) \(route.template)`", ""] }
      lines += ["Called by: \(access(declaration.access)).", ""]
      if let names = declaration.changes?.map({ "`\($0)`" }) {
        lines += ["Has an audit line, which names: \(names.joined(separator: ", ")).", ""]
      }
      if declaration.bodyLimit != OperationDeclaration.bodyLimit {
        lines += ["Bodies may have \(declaration.bodyLimit) bytes.", ""]
      }
      if declaration.refusesUnknownMembers { lines += ["Members that are not listed are refused.", ""] }
      lines += table("Input", schema.input) + table("Output", schema.output)
      let errors = declaration.errors.map {
        $0.status == 400 ? "`\($0.name)`" : "`\($0.name)` (\($0.status))"
      }
      if !errors.isEmpty { lines += ["Errors: \(errors.joined(separator: ", ")).", ""] }
    }
    return lines
  }

  private static func binding(_ binding: ServiceBinding) -> String {
    switch binding {
    case .json(let prefix):
      "AWS JSON 1.1: `POST /` with `X-Amz-Target: \(prefix).OPERATION`. Errors have the status 400 unless another is named."
    case .query(let version, _):
      "The query protocol: `Action`, `Version=\(version)` and the members in a form, or in the query of a GET or POST "
        + "without a body; answered in XML."
    case .rest: "REST-JSON: method and path select the operation."
    }
  }

  private static func access(_ access: OperationAccess) -> String {
    switch access {
    case .anyone: return "anyone, unsigned"
    case .accessToken(let member): return "the owner of the access token in `\(member)`, unsigned"
    case .accessTokenOrSession(let token, let session):
      return "the owner of the access token in `\(token)`, or of the session in `\(session)`, unsigned"
    case .signed(let signature) where signature.target == .signingKey:
      return "access keys, and sessions of `AssumeRole` without an identity, that a policy allows it"
    case .signed(let signature):
      var callers: [String] = []
      if signature.developer != nil, signature.target == .caller || signature.target == .session {
        callers.append("developers with any access key")
      } else if let capability = signature.developer {
        callers.append("developers whose access key may \(capability.rawValue)")
      }
      if signature.identity { callers.append("identities with temporary credentials") }
      let target = signature.target.member.map { "; the target is in `\($0)`" } ?? ""
      return callers.joined(separator: ", and ") + target
    }
  }

  private static func table(_ title: String, _ members: [MemberSchema]) -> [String] {
    guard !members.isEmpty else { return ["\(title): none.", ""] }
    var lines = ["| \(title) | |", "|---|---|"]
    for member in members { lines += rows(member, below: "") }
    return lines + [""]
  }

  private static func rows(_ member: MemberSchema, below path: String) -> [String] {
    let name = path + member.name.text
    let mark = member.isRequired ? " \\*" : ""
    let location =
      switch member.location {
      case .body: ""
      case .path: ", in the path"
      case .query(let name): ", in the query as `\(name)`"
      case .header(let name): ", in the header field `\(name)`"
      }
    return ["| `\(name)`\(mark) | \(text(member.kind))\(location) |"] + inner(member.kind, below: name)
  }

  private static func inner(_ kind: MemberKind, below path: String) -> [String] {
    switch kind {
    case .structure(let members): members.flatMap { rows($0, below: path + ".") }
    case .list(let elements, _): inner(elements, below: path + "[]")
    case .map(_, let values, _, _): inner(values, below: path + "{}")
    default: []
    }
  }

  private static func text(_ kind: MemberKind) -> String {
    switch kind {
    case .text(let bounds): (bounds.isSensitive ? "secret text" : "text") + text(bounds)
    case .secret(let bounds): "secret text" + text(bounds)
    case .integer(let bounds):
      "whole number" + range(bounds.minimum.map { "\($0)" }, bounds.maximum.map { "\($0)" }, "")
    case .boolean: "boolean"
    case .timestamp: "instant"
    case .blob(let bounds):
      "bytes in base64" + range("\(bounds.minimum)", bounds.maximum.map { "\($0)" }, " bytes")
    case .choice(let names): names.map { "`\($0)`" }.joined(separator: ", ")
    case .structure: "structure"
    case .list(let elements, let count): "list\(text(count)) of: \(text(elements))"
    case .map(let keys, let values, let count, _):
      "map\(text(count)) from text\(text(keys)) to: \(text(values))"
    }
  }

  private static func text(_ count: CountBounds) -> String {
    let own = count.isOwnLimit ? ", a limit of this implementation" : ""
    return " (\(count.minimum) to \(count.maximum)\(own))"
  }

  private static func text(_ bounds: TextBounds) -> String {
    let unit = bounds.unit == .bytes ? " bytes" : ""
    let length =
      bounds.maximum == nil && bounds.minimum == 0
      ? "" : range("\(bounds.minimum)", bounds.maximum.map { "\($0)" }, unit)
    guard let pattern = bounds.pattern else { return length }
    // A table's cells end at a vertical line, also inside code.
    let printed = pattern.description.parts(at: "|").joined(separator: "\\|")
    return length + " `\(printed)`"
  }

  private static func range(_ minimum: String?, _ maximum: String?, _ unit: String) -> String {
    switch (minimum, maximum) {
    case (nil, nil): ""
    case (let minimum?, let maximum?):
      minimum == maximum ? ", \(minimum)\(unit)" : ", \(minimum) to \(maximum)\(unit)"
    case (let minimum?, nil): ", at least \(minimum)\(unit)"
    case (nil, let maximum?): ", at most \(maximum)\(unit)"
    }
  }
}
