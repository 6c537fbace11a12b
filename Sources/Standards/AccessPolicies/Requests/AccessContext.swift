internal import TokenSecurityBase

/// The condition keys of a request, each with its values. Names are case-insensitive.
///
///     let context: AccessContext = ["aws:SourceIp": ["203.0.113.7"], "aws:TagKeys": ["team", "cost"]]
public struct AccessContext: Sendable, ExpressibleByDictionaryLiteral {
  /// The values by name in lower case.
  private var values: [ExactString: [String]] = [:]

  /// No keys.
  public init() {}

  /// No keys, with room for some: adding as many moves none.
  package init(minimumCapacity: Int) { values.reserveCapacity(minimumCapacity) }

  /// The keys of a literal. The last values of a name are used.
  ///
  /// - Parameter elements: names and values.
  public init(dictionaryLiteral elements: (String, [String])...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The values of a key; nil if the request does not have it. A key with an empty list counts as absent.
  ///
  /// - Parameter name: the key, in any case.
  public subscript(name: String) -> [String]? {
    get { values[ExactString(name.lowercasedASCII)] }
    set { values[ExactString(name.lowercasedASCII)] = newValue }
  }

  /// The names in lower case, ordered by their bytes.
  public var names: [String] { values.keys.sorted().map(\.text) }

  /// The values of a key by its name in lower case; empty for one that is absent.
  func values(of name: ExactString) -> [String] { values[name] ?? [] }

  /// The value of a variable: that of a key with one value. Keys with several values have none, and an empty text is none: it
  /// would turn `folder/${key}*` into a pattern for all folders.
  func variable(_ name: ExactString) -> String? {
    guard let found = values[name], found.count == 1, !found[0].isEmpty else { return nil }
    return found[0]
  }
}
