internal import ServiceOperations
internal import TokenSecurityBase

// Choices of requests and of stored settings have the same names.

extension RawRepresentable<ExactString> where Self: Equatable {
  /// The stored choice of a request's choice.
  ///
  /// - Throws: `parameterRefused` for a choice that is known and not supported.
  static func choice(
    _ given: some RawRepresentable<ExactString>, _ member: String
  ) throws(UserPoolError) -> Self {
    guard let choice = Self(rawValue: given.rawValue) else {
      throw .parameterRefused(member, rule: "\(given.rawValue) is not supported")
    }
    return choice
  }

  /// The stored choices of a request's choices, each of them once.
  static func choices(
    _ given: [some RawRepresentable<ExactString>]?, _ member: String
  ) throws(UserPoolError) -> [Self] {
    var choices: [Self] = []
    for one in given ?? [] {
      let choice = try Self.choice(one, member)
      if !choices.contains(choice) { choices.append(choice) }
    }
    return choices
  }

  /// The choices in a response; nil for none.
  static func responses(_ stored: [some RawRepresentable<ExactString>]) -> [Self]? {
    stored.isEmpty ? nil : stored.compactMap { Self(rawValue: $0.rawValue) }
  }
}
