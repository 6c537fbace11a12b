internal import TokenSecurityBase

/// Valid requests of declared operations, for property tests and as seeds for fuzzing.
package struct SampleRequests<Generator: RandomNumberGenerator> {
  private var generator: Generator
  /// The longest text, list and map that is made.
  private let longest: Int
  /// Maximum size of a value in bytes.
  private static var limit: Int { 1 << 24 }

  /// Samples from a generator.
  ///
  /// - Parameters:
  ///   - generator: the source of choices.
  ///   - longest: the most characters of a text and elements of a list that are made beyond a minimum.
  package init(_ generator: Generator, longest: Int = 12) {
    self.generator = generator
    self.longest = longest
  }

  /// A request with valid members; members that may be absent are present in about half of the requests.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - service: its service.
  /// - Returns: the request.
  package mutating func request(
    _ operation: any ServiceOperation.Type, of service: ServiceDeclaration
  ) -> EncodedRequest {
    make(operation, service)
  }

  private mutating func make<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ service: ServiceDeclaration
  ) -> EncodedRequest {
    // The values are made as JSON, and read and written by the operation's own declaration.
    let body = JSONWriter.write(object(Operation.Input.schema))
    guard let input = try? Operation.Input(json: body, limit: Self.limit) else {
      return Operation.encode(Operation.Input(), service.binding)
    }
    return Operation.encode(input, service.binding)
  }

  /// A structure with valid members; nil where its declaration allows none.
  ///
  /// - Parameter type: the structure.
  /// - Returns: the structure, or nil.
  package mutating func value<Value: Structure>(_ type: Value.Type) -> Value? {
    try? Value(json: JSONWriter.write(object(type.schema)), limit: Self.limit)
  }

  /// The JSON of a structure with valid members, wherever requests have them.
  mutating func object(_ schema: [MemberSchema]) -> JSONObject {
    var object = JSONObject()
    for member in schema where member.isRequired || Bool.random(using: &generator) {
      object[member.name.text] = value(member)
    }
    return object
  }

  private mutating func value(_ member: MemberSchema) -> JSONValue {
    var found = value(member.kind)
    guard case .path = member.location else { return found }
    // Few texts are not labels; of bounds that allow nothing else, the request is not valid anyway.
    for _ in 0..<16 where found.string.map(PathTemplate.isRemovable) ?? false { found = value(member.kind) }
    return found
  }

  private mutating func value(_ kind: MemberKind) -> JSONValue {
    switch kind {
    case .text(let bounds), .secret(let bounds): return .string(text(bounds))
    case .integer(let bounds):
      let range = (bounds.minimum ?? -1_000)...(bounds.maximum ?? max(bounds.minimum ?? 0, 1_000_000))
      return .number(JSONNumber(Int64.random(in: range, using: &generator)))
    case .boolean: return .bool(Bool.random(using: &generator))
    case .timestamp:
      let seconds = Int64.random(in: 0...4_000_000_000, using: &generator)
      return .number(JSONNumber(seconds))
    case .blob(let bounds):
      let count = count(bounds.minimum, bounds.maximum)
      return .string(Base64.string((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    case .choice(let names): return .string(names.randomElement(using: &generator)?.text ?? "")
    case .structure(let schema): return .object(object(schema))
    case .list(let elements, let bounds):
      return .array((0..<count(bounds.minimum, bounds.maximum)).map { _ in value(elements) })
    case .map(let keys, let values, let bounds, _):
      var map = JSONObject()
      for _ in 0..<count(bounds.minimum, bounds.maximum) { map[text(keys)] = value(values) }
      return .object(map)
    }
  }

  private mutating func count(_ minimum: Int, _ maximum: Int?) -> Int {
    Int.random(in: minimum...max(minimum, min(maximum ?? .max, minimum + longest)), using: &generator)
  }

  /// Characters that need escapes in JSON, XML or forms, and some beyond ASCII.
  private static var unusual: [String] { ["\"", "\\", "&", "<", "%", "+", " ", "é", "東", "😀", "\u{7F}"] }

  private mutating func text(_ bounds: TextBounds) -> String {
    if let example = bounds.pattern?.example { return example }
    let characters = bounds.pattern?.characters?.sampleCharacters.map { String(Unicode.Scalar($0)) }
    let isFree = bounds.pattern == nil && bounds.unit == .characters
    var text = ""
    for _ in 0..<max(count(bounds.minimum, bounds.maximum), bounds.pattern == nil ? 0 : 1) {
      let isUnusual = isFree && Int.random(in: 0..<8, using: &generator) == 0
      let set = isUnusual ? Self.unusual : characters ?? ["a", "b", "c", "x", "y", "z", "0", "9"]
      text += set.randomElement(using: &generator) ?? ""
    }
    return text
  }
}
