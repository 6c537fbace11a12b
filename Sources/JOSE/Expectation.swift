internal import TokenSecurityEncodings
public import TokenLifetime

/// What a policy wants of a value. There is no way to say nothing: what is not checked is not checked
/// for a stated reason.
public enum Expectation<Value: Hashable & Sendable>: Sendable, Hashable {
  /// The value must be there and be one of these.
  case oneOf([Value])
  /// The value must not be there.
  case absent
  /// The value is not looked at. The reason is shown to whoever asks why a token was accepted.
  case unchecked(because: String)

  /// The values that are accepted, where some are named.
  var values: [Value]? { if case .oneOf(let values) = self { values } else { nil } }

  /// The value must be there and be this one.
  public static func exactly(_ value: Value) -> Expectation { .oneOf([value]) }
}

extension Expectation: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
  ExpressibleByStringLiteral
where Value == String {
  /// Exactly this text.
  public init(stringLiteral value: String) { self = .oneOf([value]) }
}

/// A limit that is there or is not for a stated reason.
public enum Limit: Sendable, Hashable {
  /// At most so many seconds.
  case seconds(Int64)
  /// At most what is allowed for this kind of token.
  case rule(LifetimeRule)
  /// There is no limit. The reason is shown to whoever asks why a token was accepted.
  case unchecked(because: String)
}

extension Limit {
  /// The most seconds that are allowed, or nil where there is no limit.
  package var longest: Int64? {
    switch self {
    case .seconds(let seconds): seconds
    case .rule(let rule): rule.longest
    case .unchecked: nil
    }
  }
}
