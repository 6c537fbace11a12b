internal import TokenSecurityEncodings
internal import struct FoundationEssentials.Date

extension TokenClaims {
  /// The claims as a type of the caller's own.
  ///
  /// Members of type ``NumericDate`` or Foundation's `Date` are read as seconds since 1970. Numbers must
  /// fit their type exactly. Throws what the type's `init(from:)` throws, or a `DecodingError`.
  ///
  ///     struct Groups: Decodable {
  ///       let groups: [String]
  ///       enum CodingKeys: String, CodingKey { case groups = "cognito:groups" }
  ///     }
  ///     let groups = try token.claims.decode(Groups.self).groups
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoder = JSONValueDecoder { type, value, path in
      guard type == Date.self || type == NumericDate.self else { return nil }
      guard let date = value.number.flatMap(NumericDate.init) else {
        throw DecodingError.typeMismatch(
          type,
          DecodingError.Context(
            codingPath: path(), debugDescription: "a number of seconds since 1970 is wanted"))
      }
      return type == Date.self ? date.date : date
    }
    return try decoder.decode(type, from: .object(object))
  }
}
