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

/// A limit of a duration, or none for a stated reason.
///
///     policy.maximumLifetime = .hours(1)
public enum Limit: Sendable, Hashable {
  /// At most this long. A fraction of a second is dropped.
  case atMost(Duration)
  /// At most what is allowed for this kind of token.
  case rule(LifetimeRule)
  /// No limit. The reason is shown in the explanation of a token.
  case unchecked(because: String)
}

extension Limit {
  /// At most this number of seconds.
  public static func seconds(_ count: Int64) -> Limit { .atMost(.seconds(count)) }
  /// At most this number of minutes.
  public static func minutes(_ count: Int64) -> Limit { .seconds(count.saturatingProduct(60)) }
  /// At most this number of hours.
  public static func hours(_ count: Int64) -> Limit { .seconds(count.saturatingProduct(3_600)) }
  /// At most this number of days of 24 hours.
  public static func days(_ count: Int64) -> Limit { .seconds(count.saturatingProduct(86_400)) }

  /// The longest duration in whole seconds, or nil without a limit.
  package var longest: Int64? {
    switch self {
    case .atMost(let duration): duration.wholeSeconds
    case .rule(let rule): rule.longest.wholeSeconds
    case .unchecked: nil
    }
  }
}
