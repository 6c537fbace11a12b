public import TokenLifetime
internal import TokenSecurityBase

/// A policy's expectation of a value. A value is left unchecked only for a stated reason.
public enum Expectation<Value: Hashable & Sendable>: Sendable, Hashable {
  /// The value must be present and one of these.
  case oneOf([Value])
  /// The value must be absent.
  case absent
  /// The value is not checked. Explanations show the reason.
  case unchecked(because: String)

  /// The accepted values of `oneOf`.
  var values: [Value]? { if case .oneOf(let values) = self { values } else { nil } }

  /// The reason of `unchecked`.
  var reason: String? { if case .unchecked(let reason) = self { reason } else { nil } }

  /// The value must be present and equal to this one.
  ///
  /// - Parameter value: the expected value.
  /// - Returns: the expectation.
  public static func exactly(_ value: Value) -> Expectation { .oneOf([value]) }
}

extension Expectation: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
  ExpressibleByStringLiteral
where Value == String {
  /// Exactly this text.
  public init(stringLiteral value: String) { self = .oneOf([value]) }
}

extension Expectation: ExpressibleByArrayLiteral {
  /// One of these. Without any, nothing passes.
  public init(arrayLiteral values: Value...) { self = .oneOf(values) }
}

/// A maximum duration, or none for a stated reason.
///
///     policy.maximumLifetime = .hours(1)
public enum Limit: Sendable, Hashable {
  /// At most this long. A fraction of a second is dropped.
  case atMost(Duration)
  /// The maximum of a rule for a kind of token.
  case rule(LifetimeRule)
  /// No limit. Explanations show the reason.
  case unchecked(because: String)
}

extension Limit {
  /// The reason of `unchecked`.
  var reason: String? { if case .unchecked(let reason) = self { reason } else { nil } }

  /// At most this number of seconds.
  ///
  /// - Parameter count: seconds.
  /// - Returns: the limit.
  public static func seconds(_ count: Int64) -> Limit { .atMost(.seconds(count)) }
  /// At most this number of minutes.
  ///
  /// - Parameter count: minutes.
  /// - Returns: the limit.
  public static func minutes(_ count: Int64) -> Limit { .seconds(count.saturatingProduct(60)) }
  /// At most this number of hours.
  ///
  /// - Parameter count: hours.
  /// - Returns: the limit.
  public static func hours(_ count: Int64) -> Limit { .seconds(count.saturatingProduct(3_600)) }
  /// At most this number of days of 24 hours.
  ///
  /// - Parameter count: days.
  /// - Returns: the limit.
  public static func days(_ count: Int64) -> Limit { .seconds(count.saturatingProduct(86_400)) }

  /// The limit in whole seconds; nil for none.
  package var longest: Int64? {
    switch self {
    case .atMost(let duration): duration.wholeSeconds
    case .rule(let rule): rule.longest.wholeSeconds
    case .unchecked: nil
    }
  }
}
