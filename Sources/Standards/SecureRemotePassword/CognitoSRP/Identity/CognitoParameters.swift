internal import TokenSecurityBase

/// The parameters of a request, a challenge or a response. Names and values are compared by bytes.
///
/// `parameters["DEVICE_KEY"]` does not match a name with U+212A KELVIN SIGN, which `String` considers equal.
public struct CognitoParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var values: [ExactString: ExactString] = [:]

  /// Maximum number of parameters of a challenge. A pool has at most 50 attributes, which one challenge can set.
  public static let limit = 64
  /// Maximum number of bytes of a challenge, which can contain a user's attributes.
  public static let challengeSizeLimit = 131_072

  /// No parameters.
  public init() {}

  /// Creates parameters from a dictionary or another sequence.
  ///
  /// - Parameter values: values by name. Of two names with the same bytes the last one counts.
  public init(_ values: some Sequence<(key: String, value: String)>) {
    self.values.reserveCapacity(min(values.underestimatedCount, Self.limit))
    for (name, value) in values { self[name] = value }
  }

  /// Creates parameters from a literal.
  ///
  /// - Parameter elements: values by name. Of two names with the same bytes the last one counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    // Room for the client's own, too: the user's name, the secret hash, the device.
    values.reserveCapacity(elements.count + 3)
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a parameter. Setting nil removes it.
  ///
  /// - Parameter name: the parameter's name.
  public subscript(name: String) -> String? {
    get { values[ExactString(name)]?.text }
    set { values[ExactString(name)] = newValue.map { ExactString($0) } }
  }

  /// The value of a parameter; throws `parameterMissing` if there is none.
  func required(_ name: String) throws(SRPError) -> String {
    guard let value = self[name] else { throw .parameterMissing(name) }
    return value
  }

  /// The number of parameters.
  public var count: Int { values.count }

  /// The names in byte order.
  public var names: [String] { values.keys.sorted().map(\.text) }
}
