internal import ServiceOperations

/// Prints the declared operations as JSON, in the terms of botocore's models, for the tests that compare them. An
/// operation that is known and not built has its route alone, if it has one.
enum OperationPeer {
  static func run() {
    var services = JSONObject()
    for service in [identityPools, securityTokenService, dataSets, userPools, signingKeyService] {
      var operations = JSONObject()
      for operation in service.operations {
        let schema = OperationSchema(operation)
        let declaration = schema.declaration
        var object: JSONObject = [
          "input": structure(schema.input), "output": structure(schema.output),
          "errors": .object(
            JSONObject(declaration.errors.map { ($0.name.text, .number(JSONNumber($0.status))) })),
          "unsigned": .bool(!isSigned(declaration.access)),
          "refusesUnknownMembers": .bool(declaration.refusesUnknownMembers),
        ]
        object["route"] = declaration.route.map { Self.route($0) }
        operations[declaration.name.text] = .object(object)
      }
      for (name, route) in service.routesNotBuilt {
        operations[name.text] = .object(["route": Self.route(route)])
      }
      for name in service.notBuilt { operations[name.text] = .object(JSONObject()) }
      services[service.signingName.text] = .object(operations)
    }
    print(JSONValue.object(services))
  }

  private static func route(_ route: HTTPRoute) -> JSONValue {
    .array([.string(route.method.text), .string(route.template.text)])
  }

  private static func isSigned(_ access: OperationAccess) -> Bool {
    if case .signed = access { true } else { false }
  }

  private static func structure(_ members: [MemberSchema]) -> JSONValue {
    var object = JSONObject()
    for member in members {
      var facts = kind(member.kind)
      facts["required"] = .bool(member.isRequired)
      switch member.location {
      case .body: break
      case .path(let name): facts["location"] = .array(["uri", .string(name.text)])
      case .query(let name): facts["location"] = .array(["querystring", .string(name.text)])
      case .header(let name): facts["location"] = .array(["header", .string(name.text)])
      }
      object[member.name.text] = .object(facts)
    }
    return .object(object)
  }

  private static func kind(_ kind: MemberKind) -> JSONObject {
    switch kind {
    case .text(let bounds), .secret(let bounds): return text(bounds)
    case .integer(let bounds):
      var facts: JSONObject = ["type": bounds.isLong ? "long" : "integer"]
      facts["min"] = bounds.minimum.map { .number(JSONNumber($0)) }
      facts["max"] = bounds.maximum.map { .number(JSONNumber($0)) }
      return facts
    case .boolean: return ["type": "boolean"]
    case .timestamp: return ["type": "timestamp"]
    case .blob(let bounds): return ["type": "blob", "min": .number(JSONNumber(bounds.minimum))]
    case .choice(let names): return ["type": "string", "enum": .array(names.map { .string($0.text) })]
    case .structure(let members): return ["type": "structure", "members": structure(members)]
    case .list(let elements, let count):
      return counted(["type": "list", "member": .object(self.kind(elements))], count)
    case .map(let keys, let values, let count, _):
      return counted(
        ["type": "map", "key": .object(text(keys)), "value": .object(self.kind(values))], count)
    }
  }

  private static func counted(_ facts: JSONObject, _ count: CountBounds) -> JSONObject {
    var facts = facts
    guard !count.isOwnLimit else { return facts }
    facts["min"] = .number(JSONNumber(count.minimum))
    facts["max"] = .number(JSONNumber(count.maximum))
    return facts
  }

  private static func text(_ bounds: TextBounds) -> JSONObject {
    var facts: JSONObject = ["type": "string", "min": .number(JSONNumber(bounds.minimum))]
    facts["max"] = bounds.maximum.map { .number(JSONNumber($0)) }
    facts["pattern"] = bounds.pattern.map { .string($0.description) }
    facts["sensitive"] = bounds.isSensitive ? true : nil
    return facts
  }
}

extension JSONObject {
  fileprivate init(_ members: [(String, JSONValue)]) {
    self.init()
    for (name, value) in members { self[name] = value }
  }
}
