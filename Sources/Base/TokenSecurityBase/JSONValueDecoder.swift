/// Decodes a JSON text into any `Decodable` type, without Foundation.
///
/// Values are read from the text itself when the type asks for them. Numbers must fit the requested type
/// exactly: fractions are not cut off, overflows do not wrap around.
package struct JSONValueDecoder {
  private let override: any JSONDecodingOverride

  /// A decoder that asks `override` before each nested value.
  package init(override: any JSONDecodingOverride) {
    self.override = override
  }

  /// A decoder that decodes each type by its own `init(from:)`.
  package init() { override = NoOverride() }

  /// Decodes the root value of `document`.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - document: the text.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError`, or what the type's `init(from:)` throws.
  package func decode<T: Decodable>(_ type: T.Type, from document: JSONDocument) throws -> T {
    try JSONPlaceDecoder(source: JSONDecodingSource(document, override), place: 0).decodeValue(type)
  }

  /// Decodes `value`.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - value: the value.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError`, or what the type's `init(from:)` throws.
  package func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
    let document: JSONDocument
    do {
      let limits = JSONLimits(size: .max, depth: JSONLimits.highestDepth)
      document = try JSONDocument(JSONWriter.write(value), limits: limits)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: error.description, underlyingError: error))
    }
    return try decode(type, from: document)
  }

  private struct NoOverride: JSONDecodingOverride {
    func decode<T: Decodable>(
      _ type: T.Type, _ document: JSONDocument, at place: JSONDocument.Place, path: () -> [any CodingKey]
    ) throws -> T? { nil }
  }
}

/// Decodes types with another JSON form than that of their `Decodable`, for example dates.
package protocol JSONDecodingOverride {
  /// The value at `place`, or nil for a type that its own `init(from:)` decodes. `path` makes the path of an
  /// error.
  func decode<T: Decodable>(
    _ type: T.Type, _ document: JSONDocument, at place: JSONDocument.Place, path: () -> [any CodingKey]
  ) throws -> T?
}
