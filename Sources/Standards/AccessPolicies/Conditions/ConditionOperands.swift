internal import TokenLifetime
internal import TokenSecurityBase

/// The values of a condition, in the form that its operator compares.
enum ConditionOperands: Sendable {
  case texts(PreparedTexts)
  case numbers([DecimalNumber], ConditionOperator.Relation)
  case dates([Timestamp], ConditionOperator.Relation)
  /// `Bool`: texts that are `true` or `false`, perhaps after variables were replaced.
  case flags(PreparedTexts)
  case bytes([[UInt8]])
  case addresses([AddressBlock])
  /// `Null`: true where the key must be absent.
  case absence([Bool])

  /// True if a value of the request matches one of the policy's values. A value that cannot be read matches none.
  func match(_ actual: String, in context: AccessContext) -> Bool {
    switch self {
    case .texts(let texts): return texts.contains(actual.utf8.span, in: context)
    case .flags(let texts):
      guard actual.isEqualIgnoringASCIICase(to: "true") || actual.isEqualIgnoringASCIICase(to: "false") else {
        return false
      }
      return texts.contains(actual.utf8.span, in: context)
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

  /// The texts that have variables.
  var textsWithVariables: [PolicyText] {
    switch self {
    case .texts(let texts), .flags(let texts): texts.variables.map(\.text)
    default: []
    }
  }
}
