internal import ServiceOperations
internal import TokenSecurityBase

// Members of administrators' operations on users.

extension User {
  /// The second factors that are on; nil for none.
  var factorsResponse: [String]? {
    enabledFactors.isEmpty ? nil : enabledFactors.map(\.name)
  }
}

extension [AttributeType] {
  /// The attributes of a request. A missing value is empty.
  var given: AttributeRules.Given { map { (name: $0.name, value: $0.value ?? "") } }

  /// Data for hooks, by name.
  var byName: [ExactString: String] {
    Dictionary(map { (ExactString($0.name), $0.value ?? "") }) { _, last in last }
  }
}
