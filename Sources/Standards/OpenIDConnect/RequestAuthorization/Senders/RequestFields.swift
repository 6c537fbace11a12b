/// The header fields of the question that a proxy asks about a request.
public struct RequestFields: Sendable {
  private let values: @Sendable (_ name: String) -> [String]

  /// Makes fields.
  ///
  /// - Parameter values: returns the values of all fields of a name, whose case does not count.
  public init(_ values: @escaping @Sendable (_ name: String) -> [String]) { self.values = values }

  /// The values of all fields of a name.
  package func all(_ name: String) -> [String] { values(name) }

  /// The value of a field that occurs once and is not empty; nil otherwise.
  package func single(_ name: String) -> String? {
    let found = values(name)
    guard found.count == 1, let value = found.first, !value.isEmpty else { return nil }
    return value
  }
}
