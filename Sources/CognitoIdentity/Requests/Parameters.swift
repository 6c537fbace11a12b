internal import TokenSecurityEncodings

/// The members of a request's JSON object. `null` means absent, as in AWS's SDKs.
struct Parameters {
  private let object: JSONObject
  private let path: String

  init(_ object: JSONObject, path: String = "") {
    self.object = object
    self.path = path
  }

  /// Reads a request's body: a JSON object. An empty body is an empty object.
  init(body: [UInt8]) throws(IdentityError) {
    guard !body.isEmpty else {
      self.init(JSONObject())
      return
    }
    let document: JSONDocument
    do {
      document = try JSONDocument(body, limits: JSONLimits(size: 1 << 20, depth: 16))
    } catch {
      throw .requestMalformed(rule: "\(error)")
    }
    guard document.kind(at: 0) == .object else {
      throw .requestMalformed(rule: "the body is not a JSON object")
    }
    self.init(document.object())
  }

  private func value(_ name: String) -> JSONValue? {
    if case .null? = object[name] { return nil }
    return object[name]
  }

  /// Reads a text. Without `bounds`, the operation checks them.
  func string(_ name: String, _ bounds: Bounds? = nil) throws(IdentityError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw .parameterType(path + name, expected: "a string") }
    try bounds?.check(text, path + name)
    return text
  }

  func required(_ name: String, _ bounds: Bounds? = nil) throws(IdentityError) -> String {
    try required(string(name, bounds), name)
  }

  /// Returns the value of a required member.
  func required<T>(_ value: T?, _ name: String) throws(IdentityError) -> T {
    guard let value else { throw .parameterMissing(path + name) }
    return value
  }

  func bool(_ name: String) throws(IdentityError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = value.bool else { throw .parameterType(path + name, expected: "a boolean") }
    return bool
  }

  func integer(_ name: String) throws(IdentityError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let number = value.int64 else { throw .parameterType(path + name, expected: "a whole number") }
    return number
  }

  /// Reads a map of texts to texts and checks its bounds.
  func map(_ bounds: MapBounds) throws(IdentityError) -> NameMap<String>? {
    guard let value = value(bounds.name) else { return nil }
    let path = path + bounds.name
    guard let object = value.object else { throw .parameterType(path, expected: "a map of strings") }
    try Bounds.count(object.members.count, bounds.count, path)
    var map: NameMap<String> = [:]
    for member in object.members {
      guard let text = member.value.string else { throw .parameterType(path, expected: "a map of strings") }
      try bounds.check(member.name, text, of: path)
      guard map.updateValue(text, forKey: member.name) == nil else {
        throw .requestMalformed(rule: "a key of \(path) is duplicated")
      }
    }
    return map
  }

  func strings(_ name: String, _ bounds: Bounds, count: ClosedRange<Int> = 0...1_000) throws(IdentityError)
    -> [String]?
  {
    guard let value = value(name) else { return nil }
    guard let texts = value.strings else { throw .parameterType(path + name, expected: "a list of strings") }
    try Bounds.count(texts.count, count, path + name)
    for text in texts { try bounds.check(text, "an element of \(path + name)") }
    return texts
  }

  /// Reads a list of objects.
  func objects(_ name: String, count: ClosedRange<Int>) throws(IdentityError) -> [Parameters]? {
    guard let value = value(name) else { return nil }
    guard let elements = value.array else { throw .parameterType(path + name, expected: "a list") }
    try Bounds.count(elements.count, count, path + name)
    var all: [Parameters] = []
    for element in elements {
      guard let object = element.object else { throw .parameterType(path + name, expected: "a list of maps") }
      all.append(Parameters(object, path: "\(path + name)."))
    }
    return all
  }

  /// Reads a map of texts to objects.
  func objectMap(_ name: String, keys: Bounds, count: ClosedRange<Int>) throws(IdentityError)
    -> [(key: String, value: Parameters)]?
  {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw .parameterType(path + name, expected: "a map") }
    try Bounds.count(object.members.count, count, path + name)
    var all: [(String, Parameters)] = []
    for member in object.members {
      guard let inner = member.value.object else {
        throw .parameterType(path + name, expected: "a map of maps")
      }
      try keys.check(member.name, "a key of \(path + name)")
      all.append((member.name, Parameters(inner, path: "\(path + name).")))
    }
    return all
  }

  func object(_ name: String) throws(IdentityError) -> Parameters? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw .parameterType(path + name, expected: "a map") }
    return Parameters(object, path: "\(path + name).")
  }
}
