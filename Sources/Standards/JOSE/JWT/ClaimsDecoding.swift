internal import TokenLifetime
internal import TokenSecurityBase

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
    let decoder = JSONValueDecoder(override: DateDecoding())
    switch storage {
    case .read(let claims): return try decoder.decode(type, from: claims.document)
    case .built(let object): return try decoder.decode(type, from: .object(object))
    }
  }
}

/// Decodes dates from numbers of seconds since 1970.
private struct DateDecoding: JSONDecodingOverride {
  func decode<T: Decodable>(
    _ type: T.Type, _ document: JSONDocument, at place: Int, path: () -> [any CodingKey]
  ) throws -> T? {
    if type == Timestamp.self { return try date(type, document, place, path) as? T }
    if let type = type as? any (TimestampConvertible & Decodable).Type {
      return type.init(try date(type, document, place, path)) as? T
    }
    // `Date` itself would read the number as seconds since 2001. Types of another size are not `Date`; their
    // names are not looked up, which takes longer than decoding them.
    if MemoryLayout<T>.size == MemoryLayout<Double>.size,
      ["Foundation.Date", "FoundationEssentials.Date"].contains(String(reflecting: type))
    {
      throw mismatch(
        type, path, "a Date needs the module TimestampFoundation; a Timestamp needs none")
    }
    return nil
  }

  private func date(
    _ type: any Decodable.Type, _ document: JSONDocument, _ place: Int, _ path: () -> [any CodingKey]
  ) throws -> Timestamp {
    do {
      return try Timestamp(document, at: place, name: "")
    } catch {
      throw mismatch(type, path, "expected a number of seconds since 1970")
    }
  }

  private func mismatch(
    _ type: any Decodable.Type, _ path: () -> [any CodingKey], _ text: String
  ) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: path(), debugDescription: text))
  }
}
