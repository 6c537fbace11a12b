internal import TokenLifetime
internal import TokenSecurityBase

extension DocumentReader {
  /// Reads the element `Condition`.
  mutating func conditions(_ place: JSONDocument.Place) throws(AccessPolicyError) -> [Condition] {
    guard document.kind(at: place) == .object else {
      throw .type(element: "Condition", expected: "an object", at: self.place(place))
    }
    var conditions: [Condition] = []
    try document.forEachMember(of: place) { (name, value) throws(AccessPolicyError) in
      guard let operation = Operation(self.name(name)) else {
        throw .operatorUnknown(self.name(name), at: self.place(name))
      }
      if operation.comparison == .null, operation.quantifier != .single {
        warn(.nullQuantified, operation.text, at: name)
      }
      conditions += try self.conditions(operation, value)
    }
    return conditions
  }

  /// The conditions of one operator, one for each of its keys.
  private mutating func conditions(_ operation: Operation, _ place: JSONDocument.Place)
    throws(AccessPolicyError) -> [Condition]
  {
    guard document.kind(at: place) == .object else {
      throw .type(element: operation.text, expected: "an object of keys and values", at: self.place(place))
    }
    var conditions: [Condition] = []
    var seen: Set<ExactString> = []
    try document.forEachMember(of: place) { (key, value) throws(AccessPolicyError) in
      let name = try text(key, of: operation.text)
      let folded = ExactString(name.lowercasedASCII)
      guard seen.insert(folded).inserted else { throw .conditionKeyRepeated(name, at: self.place(key)) }
      let places = try list(value)
      guard !places.isEmpty else { throw .elementEmpty(name, at: self.place(value)) }
      var texts: [String] = []
      var areStrings = true
      for place in places {
        texts.append(try self.value(place, of: name))
        areStrings = areStrings && document.kind(at: place) == .string
      }
      conditions.append(
        Condition(
          comparison: operation.comparison, quantifier: operation.quantifier,
          allowsAbsence: operation.allowsAbsence,
          operatorText: operation.text, key: name, name: folded, values: texts, areStrings: areStrings,
          operands: try operands(operation.comparison, texts, places)))
    }
    guard !conditions.isEmpty else { throw .elementEmpty(operation.text, at: self.place(place)) }
    return conditions
  }

  /// A value as text: strings, numbers and booleans are allowed.
  private func value(_ place: JSONDocument.Place, of key: String) throws(AccessPolicyError) -> String {
    switch document.kind(at: place) {
    case .string: try text(place, of: key)
    case .number: try bounded(document.number(at: place)?.description ?? "", place)
    case .true: "true"
    case .false: "false"
    default:
      throw .type(
        element: key, expected: "a string, a number, a boolean or a list of them", at: self.place(place))
    }
  }

  private mutating func operands(
    _ comparison: ConditionOperator, _ texts: [String], _ places: [JSONDocument.Place]
  ) throws(AccessPolicyError) -> ConditionOperands {
    switch comparison.comparison {
    case .text(let form): return .texts(try prepared(texts, places, form))
    case .bool: return .flags(try prepared(texts, places, .ignoringCase, areFlags: true))
    case .presence: return .absence(try read(texts, places, "true or false") { Self.flag($0) })
    case .number(let relation):
      return .numbers(try read(texts, places, "a decimal number") { DecimalNumber($0) }, relation)
    case .date(let relation):
      return .dates(
        try read(texts, places, "a date such as 2026-09-05T09:03:07Z, or seconds since 1970") {
          PolicyDate.read($0)
        },
        relation)
    case .binary: return .bytes(try read(texts, places, "base64") { try? Base64.decode($0) })
    case .address:
      return .addresses(
        try read(texts, places, "an IP address or a range such as 203.0.113.0/24") { AddressBlock($0) })
    }
  }

  private func read<Value>(
    _ texts: [String], _ places: [JSONDocument.Place], _ expected: String, _ body: (String) -> Value?
  ) throws(AccessPolicyError) -> [Value] {
    var values: [Value] = []
    for (text, place) in zip(texts, places) {
      guard let value = body(text) else {
        throw .valueInvalid(text, expected: expected, at: self.place(place))
      }
      values.append(value)
    }
    return values
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.lowercasedASCII {
    case "true": true
    case "false": false
    default: nil
    }
  }

  private mutating func prepared(
    _ texts: [String], _ places: [JSONDocument.Place], _ form: TextComparison, areFlags: Bool = false
  ) throws(AccessPolicyError) -> PreparedTexts {
    var prepared = PreparedTexts()
    for (source, place) in zip(texts, places) {
      let text = try policyText(source, place)
      if form == .pattern(.ofARN), !text.hasVariables, source.parts(at: ":", most: 6).count < 6 {
        warn(.valueNeverMatches, source, at: place)
      }
      prepared.append(text, form)
      guard !areFlags || text.hasVariables || Self.flag(source) != nil else {
        throw .valueInvalid(source, expected: "true or false", at: self.place(place))
      }
    }
    return prepared
  }
}

/// The name of an operator with its quantifier and `IfExists`.
private struct Operation {
  let text: String
  let comparison: ConditionOperator
  let quantifier: ConditionQuantifier
  let allowsAbsence: Bool

  /// Returns nil for an unknown operator.
  init?(_ text: String) {
    let parts = text.parts(at: ":")
    guard parts.count <= 2, let last = parts.last,
      let quantifier = ConditionQuantifier(name: parts.count == 2 ? parts[0] : ""),
      parts.count == 1 || quantifier != .single
    else { return nil }
    let suffix = "IfExists"
    let allowsAbsence = last.hasSuffix(suffix)
    let name = allowsAbsence ? String(decoding: last.utf8.dropLast(suffix.utf8.count), as: UTF8.self) : last
    guard let comparison = ConditionOperator(name: name) else { return nil }
    // Null itself asks whether the key exists.
    guard comparison != .null || !allowsAbsence else { return nil }
    self.text = text
    self.comparison = comparison
    self.quantifier = quantifier
    self.allowsAbsence = allowsAbsence
  }
}
