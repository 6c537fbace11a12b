internal import TokenSecurityBase

/// The condition operators, without quantifier and `IfExists`.
package enum ConditionOperator: ExactString, Sendable, Hashable, CaseIterable {
  case stringEquals = "StringEquals"
  case stringNotEquals = "StringNotEquals"
  case stringEqualsIgnoreCase = "StringEqualsIgnoreCase"
  case stringNotEqualsIgnoreCase = "StringNotEqualsIgnoreCase"
  case stringLike = "StringLike"
  case stringNotLike = "StringNotLike"
  case numericEquals = "NumericEquals"
  case numericNotEquals = "NumericNotEquals"
  case numericLessThan = "NumericLessThan"
  case numericLessThanEquals = "NumericLessThanEquals"
  case numericGreaterThan = "NumericGreaterThan"
  case numericGreaterThanEquals = "NumericGreaterThanEquals"
  case dateEquals = "DateEquals"
  case dateNotEquals = "DateNotEquals"
  case dateLessThan = "DateLessThan"
  case dateLessThanEquals = "DateLessThanEquals"
  case dateGreaterThan = "DateGreaterThan"
  case dateGreaterThanEquals = "DateGreaterThanEquals"
  case bool = "Bool"
  case binaryEquals = "BinaryEquals"
  case ipAddress = "IpAddress"
  case notIPAddress = "NotIpAddress"
  case arnEquals = "ArnEquals"
  case arnLike = "ArnLike"
  case arnNotEquals = "ArnNotEquals"
  case arnNotLike = "ArnNotLike"
  case null = "Null"

  /// What an operator compares.
  enum Comparison: Sendable, Hashable {
    case text(TextComparison)
    case number(Relation)
    case date(Relation)
    case bool
    case binary
    case address
    case presence
  }

  /// The order of two values.
  enum Relation: Sendable, Hashable {
    case equal
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .equal: left == right
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      case .greaterOrEqual: left >= right
      }
    }
  }

  /// True where the condition is met by a value that matches none of the policy's.
  package var isNegated: Bool {
    switch self {
    case .stringNotEquals, .stringNotEqualsIgnoreCase, .stringNotLike, .numericNotEquals, .dateNotEquals,
      .notIPAddress, .arnNotEquals, .arnNotLike:
      true
    default: false
    }
  }

  var comparison: Comparison {
    switch self {
    case .stringEquals, .stringNotEquals: .text(.exact)
    case .stringEqualsIgnoreCase, .stringNotEqualsIgnoreCase: .text(.ignoringCase)
    case .stringLike, .stringNotLike: .text(.pattern(.ordinary))
    // ArnEquals and ArnLike behave identically.
    case .arnEquals, .arnLike, .arnNotEquals, .arnNotLike: .text(.pattern(.ofARN))
    case .numericEquals, .numericNotEquals: .number(.equal)
    case .numericLessThan: .number(.less)
    case .numericLessThanEquals: .number(.lessOrEqual)
    case .numericGreaterThan: .number(.greater)
    case .numericGreaterThanEquals: .number(.greaterOrEqual)
    case .dateEquals, .dateNotEquals: .date(.equal)
    case .dateLessThan: .date(.less)
    case .dateLessThanEquals: .date(.lessOrEqual)
    case .dateGreaterThan: .date(.greater)
    case .dateGreaterThanEquals: .date(.greaterOrEqual)
    case .bool: .bool
    case .binaryEquals: .binary
    case .ipAddress, .notIPAddress: .address
    case .null: .presence
    }
  }
}

/// The quantifiers of conditions on keys with several values.
package enum ConditionQuantifier: ExactString, Sendable, Hashable, CaseIterable {
  /// No quantifier: the key has one value.
  case single = ""
  /// At least one value must fit.
  case anyValue = "ForAnyValue"
  /// All values must fit. **True for a key without values.**
  case allValues = "ForAllValues"
}
