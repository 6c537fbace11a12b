internal import TokenSecurityEncodings
internal import TokenLifetime

extension TokenClaims {
  /// Decodes the claims into a type of the caller.
  ///
  /// Members of type `Timestamp` are read as seconds since 1970. So are Foundation's `Date`s if the program
  /// links `TimestampFoundation`; otherwise they are refused. Numbers must fit their type exactly.
  ///
  ///     struct Groups: Decodable {
  ///       let groups: [String]
  ///       enum CodingKeys: String, CodingKey { case groups = "cognito:groups" }
  ///     }
  ///     let groups = try token.claims.decode(Groups.self).groups
  ///
  /// - Parameter type: the type.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError`, or what the type's `init(from:)` throws.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoder = JSONValueDecoder { type, value, path in
      guard let make = try Self.dateMaker(type, path) else { return nil }
      guard let date = value.number.flatMap(Timestamp.init) else {
        throw Self.mismatch(type, path, "expected a number of seconds since 1970")
      }
      return make(date)
    }
    return try decoder.decode(type, from: .object(object))
  }

  /// The conversion of an instant to `type`; nil if that is not a type of dates.
  private static func dateMaker(
    _ type: any Decodable.Type, _ path: () -> [any CodingKey]
  ) throws -> ((Timestamp) -> any Decodable)? {
    if type == Timestamp.self { return { $0 } }
    if let type = type as? any (TimestampConvertible & Decodable).Type { return { type.init($0) } }
    // `Date` itself would read the number as seconds since 2001.
    guard !["Foundation.Date", "FoundationEssentials.Date"].contains(String(reflecting: type)) else {
      throw mismatch(type, path, "a Date needs the module TimestampFoundation; a Timestamp needs none")
    }
    return nil
  }

  private static func mismatch(
    _ type: any Decodable.Type, _ path: () -> [any CodingKey], _ text: String
  ) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: path(), debugDescription: text))
  }
}
