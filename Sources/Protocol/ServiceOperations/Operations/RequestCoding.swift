internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension ServiceOperation {
  /// Reads the input from a request that selected this operation. The body is wiped where it had secrets or
  /// is not JSON, unless the caller keeps a copy.
  package static func input(
    _ route: OperationRoute, _ body: consuming [UInt8]
  ) throws(OperationError) -> Input {
    try request(route, body).input
  }

  /// Reads the input, and which members of the request are ignored.
  static func request(
    _ route: OperationRoute, _ body: consuming [UInt8]
  ) throws(OperationError) -> (input: Input, ignored: Set<IgnoredMember>) {
    let input =
      switch route.binding {
      case .query: MemberInput(form: route.fields)
      case .json, .rest:
        try MemberInput(json: &body, limit: route.declaration.bodyLimit, fields: route.fields)
      }
    body = []
    return try read(input, as: Input.self, refusesUnknown: route.declaration.refusesUnknownMembers)
  }

  private static func read<Value: Structure>(
    _ input: consuming MemberInput, as type: Value.Type, refusesUnknown: Bool, isResponse: Bool = false
  ) throws(OperationError) -> (Value, Set<IgnoredMember>) {
    var members = Members(reading: input, refusesUnknown: refusesUnknown)
    members.skipsUnknownChoices = isResponse
    members.ignored.areNoted = !isResponse
    input = MemberInput()
    var value = Value()
    members.readStructure(&value, at: .root)
    if members.hasSecrets { members.input.wipe { bytes in _ = SecretBytes(wiping: &bytes) } }
    if let refusal = members.refusal { throw refusal }
    return (value, members.ignored.all)
  }

  /// Writes a request.
  package static func encode(_ input: Input, _ binding: ServiceBinding) -> EncodedRequest {
    var value = input
    let isForm = if case .query = binding { true } else { false }
    var members = Members(writing: MemberWriter(isForm ? .form : .json))
    members.writeStructure(&value)
    var body = members.output.bytes
    var headers = [(name: "Content-Type", value: binding.contentType)]
    switch binding {
    case .json(let prefix): headers.append((name: "X-Amz-Target", value: "\(prefix).\(declaration.name)"))
    case .query(let version, _):
      body = Array("Action=\(declaration.name)&Version=\(version)\(body.isEmpty ? "" : "&")".utf8) + body
    case .rest:
      let hasBody = Input.schema.contains { $0.location == .body }
      if !hasBody { body = [] }
      for case (.header(let name), let text) in members.output.outside {
        headers.append((name: name.text, value: text))
      }
    }
    let (route, outside) = (declaration.route, members.output.outside)
    guard route != nil || !outside.isEmpty else {
      return EncodedRequest(method: "POST", target: "/", headers: headers, body: body)
    }
    let selected = route ?? .post("/")
    return EncodedRequest(
      method: selected.method.text, target: target(selected, outside), headers: headers, body: body)
  }

  private static func target(
    _ route: HTTPRoute, _ outside: [(location: MemberLocation, value: String)]
  ) -> String {
    var bytes: [UInt8] = []
    for part in route.template.text.parts(at: "/").dropFirst() {
      bytes.append(UInt8(ascii: "/"))
      let label = PathTemplate.label(part)
      let value = outside.first { label != nil && $0.location == .path(ExactString(label ?? "")) }?.value
      PercentEncoding.append((value ?? part).utf8.span, keepingSlashes: false, to: &bytes)
    }
    var separator: StaticString = "?"
    for case (.query(let name), let value) in outside {
      bytes.append(separator)
      PercentEncoding.append(name.text.utf8.span, keepingSlashes: false, to: &bytes)
      bytes.append("=" as StaticString)
      PercentEncoding.append(value.utf8.span, keepingSlashes: false, to: &bytes)
      separator = "&"
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the output from a response. The body is wiped where it had secrets, unless the caller keeps a
  /// copy.
  package static func decodeOutput(
    _ binding: ServiceBinding, _ body: consuming [UInt8], limit: Int = OperationDeclaration.bodyLimit
  ) throws(OperationError) -> Output {
    switch binding {
    case .json, .rest:
      let input = try MemberInput(json: &body, limit: limit)
      return try read(input, as: Output.self, refusesUnknown: false, isResponse: true).0
    case .query:
      guard body.count <= limit else { throw .bodyTooLarge(limit: limit) }
      let root = ["\(declaration.name)Response", "\(declaration.name)Result"]
      guard let fields = FieldTree(xml: body.span, below: root) else {
        throw .serialization(rule: "the response is not XML")
      }
      return try read(MemberInput(form: fields), as: Output.self, refusesUnknown: false, isResponse: true).0
    }
  }
}

extension FieldTree {
  /// The texts of an XML document below elements of these names; nil for another document. Elements of lists
  /// and maps get their numbers, as forms have them.
  init?(xml text: borrowing Span<UInt8>, below root: [String]) {
    guard let document = XMLText(text) else { return nil }
    self.init()
    for leaf in document.leaves where leaf.path.count > root.count && leaf.path.starts(with: root, by: ==) {
      var names: [String] = []
      for (name, number) in zip(leaf.path, leaf.numbers).dropFirst(root.count) {
        names.append(name)
        if name == "member" || name == "entry" { names.append("\(number)") }
      }
      guard insert(names, XMLText.text(text, leaf.range)) else { return nil }
    }
  }
}
