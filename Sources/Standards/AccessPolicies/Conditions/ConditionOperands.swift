internal import TokenLifetime
internal import TokenSecurityBase

/// The values of a condition, in the form that its operator compares.
enum ConditionOperands: Sendable {
  case texts([PreparedText])
  case numbers([DecimalNumber], ConditionOperator.Relation)
  case dates([Timestamp], ConditionOperator.Relation)
  /// `Bool`: texts that are `true` or `false`, perhaps after variables were replaced.
  case flags([PreparedText])
  case bytes([[UInt8]])
  case addresses([AddressBlock])
  /// `Null`: true where the key must be absent.
  case absence([Bool])

  /// True if a value of the request matches one of the policy's values. A value that cannot be read matches none.
  func match(_ actual: String, in context: AccessContext) -> Bool {
    switch self {
    case .texts(let texts): return texts.contains { $0.matches(actual.utf8.span, in: context) }
    case .flags(let texts):
      let value = actual.lowercasedASCII
      guard value == "true" || value == "false" else { return false }
      return texts.contains { $0.matches(value.utf8.span, in: context) }
    case .numbers(let numbers, let relation):
      guard let value = DecimalNumber(actual) else { return false }
      return numbers.contains { relation.holds(value, $0) }
    case .dates(let dates, let relation):
      guard let value = PolicyDate.read(actual) else { return false }
      return dates.contains { relation.holds(value, $0) }
    case .bytes(let values):
      guard let value = try? Base64.decode(actual) else { return false }
      return values.contains(value)
    case .addresses(let blocks):
      guard let value = AddressBlock(address: actual) else { return false }
      return blocks.contains { $0.contains(value) }
    case .absence: return false
    }
  }

  /// Those of the texts whose variables have no value.
  func missingVariables(in context: AccessContext) -> [String] {
    switch self {
    case .texts(let texts), .flags(let texts): texts.flatMap { $0.text.missing(in: context) }
    default: []
    }
  }
}
