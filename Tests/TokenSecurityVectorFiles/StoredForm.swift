internal import TokenSecurityBase

/// The JSON object of a stored row, and what its encoding must do with it.
public struct StoredForm {
  private let json: String
  private let optional: Set<String>

  /// The form of a row.
  ///
  /// - Parameters:
  ///   - json: the exact text.
  ///   - optional: the members without which the row can be read.
  public init(_ json: String, optional: Set<String> = []) {
    self.json = json
    self.optional = optional
  }

  /// Describes what an encoding does wrong: it writes a row as this text, reads the text, and refuses it without one of
  /// the other members, or with a member of another type.
  ///
  /// - Parameters:
  ///   - row: the row; nil for the one that is read.
  ///   - write: writes a row.
  ///   - read: reads a row.
  /// - Returns: the mistakes.
  /// - Throws: `JSONError` where the text is no JSON.
  public func mistakes<Row>(
    _ row: Row? = nil, write: (Row) -> [UInt8]?, read: ([UInt8]) -> Row?
  ) throws -> [String] {
    func text(_ row: Row?) -> String? { row.flatMap(write).map { String(decoding: $0, as: UTF8.self) } }
    var mistakes: [String] = []
    let found = read(Array(json.utf8))
    for (what, written) in [("written", text(row ?? found)), ("read and written", text(found))] {
      if written?.isIdentical(to: json) != true { mistakes.append("\(what): \(written ?? "nothing")") }
    }
    let object = try JSONValue(parsing: json).object ?? JSONObject()
    for name in object.names {
      var other = object
      other[name] = nil
      if (read(JSONWriter.write(other)) != nil) != optional.contains(name) {
        mistakes.append("without \(name)")
      }
      other = object
      // Neither a whole number nor anything else that rows have.
      other[name] = JSONNumber(0.5).map(JSONValue.number)
      if read(JSONWriter.write(other)) != nil { mistakes.append("with another type of \(name)") }
    }
    return mistakes
  }
}
