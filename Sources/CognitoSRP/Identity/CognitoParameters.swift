internal import SecureRemotePassword
internal import TokenSecurityEncodings

/// The parameters of a challenge or of its response: names with their values, both compared byte for byte.
///
/// `parameters["DEVICE_KEY"]` does not find a name that only looks the same, such as one with U+212A KELVIN SIGN in it.
public struct CognitoParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var values: [ExactString: ExactString] = [:]

  /// The most parameters that a message may have: a pool has at most 50 attributes, which one challenge sets.
  public static let limit = 64
  /// The most bytes that a request may have. It is read before anything is known about its sender.
  public static let requestSizeLimit = 16_384
  /// The most bytes that a server's challenge may have, which can contain a user's attributes.
  public static let challengeSizeLimit = 131_072

  /// No parameters.
  public init() {}

  /// Parameters from a dictionary or another sequence.
  ///
  /// - Parameter values: values by name. Of two names with the same bytes the last one counts.
  public init(_ values: some Sequence<(key: String, value: String)>) {
    for (name, value) in values { self[name] = value }
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a parameter. Setting nil removes it.
  public subscript(name: String) -> String? {
    get { values[ExactString(name)]?.text }
    set { values[ExactString(name)] = newValue.map { ExactString($0) } }
  }

  /// How many parameters there are.
  public var count: Int { values.count }

  /// The names in the order of their bytes.
  public var names: [String] { values.keys.sorted().map(\.text) }
}
