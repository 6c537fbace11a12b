internal import TokenSecurityEncodings
internal import JOSE

extension Expectation where Value == String {
  /// What is wanted, in words.
  var demand: String {
    switch self {
    case .oneOf(let values): values.quotedList
    case .absent: "absent"
    case .unchecked(let reason): "not asked (\(reason))"
    }
  }
}
