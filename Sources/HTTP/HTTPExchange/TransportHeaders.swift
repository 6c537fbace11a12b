internal import TokenSecurityBase

/// Header fields, in their order. Names are compared without case.
public struct TransportHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name, in the case in which it is sent.
    public let name: String
    /// The value.
    public let value: String
  }

  /// The fields.
  public private(set) var fields: [Field] = []

  /// Header fields.
  ///
  /// - Parameter fields: names and values. A name may occur more than once.
  public init(_ fields: some Sequence<(name: String, value: String)> = []) {
    for field in fields { append(field.name, field.value) }
  }

  /// Header fields.
  ///
  /// - Parameter elements: names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: the name. Fields of the same name are kept.
  ///   - value: the value.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The values of the fields with this name, joined by commas (RFC 9110 section 5.3); nil if absent. A new
  /// value replaces all of them.
  public subscript(name: String) -> String? {
    get {
      var values: [String] = []
      for field in fields where field.name.isEqualIgnoringASCIICase(to: name) { values.append(field.value) }
      // The usual field occurs once.
      return values.count > 1 ? values.joined(separator: ", ") : values.first
    }
    set {
      fields.removeAll { $0.name.isEqualIgnoringASCIICase(to: name) }
      if let newValue { append(name, newValue) }
    }
  }
}
