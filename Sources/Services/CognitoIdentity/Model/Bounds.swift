internal import TokenSecurityBase

// The arguments of this module's functions are checked against the bounds of the operations' members.

extension TextBounds {
  /// Checks a text.
  ///
  /// - Throws: `request` with the violations.
  func check(_ text: String, _ name: String) throws(IdentityError) {
    guard !allows(text) else { return }
    throw .request(.validation(Violation.of(text, name, self)))
  }

  /// A developer's access key.
  static let accessKeyID = keyID("AKIA")
}

extension IntegerBounds {
  /// Checks the size of a page.
  ///
  /// - Throws: `request` with the violations.
  static func page(_ size: Int64) throws(IdentityError) -> Int {
    let violations = Violation.of(size, "MaxResults", pageSize)
    guard violations.isEmpty else { throw .request(.validation(violations)) }
    return Int(size)
  }
}

extension CountBounds {
  /// Checks a number of elements.
  ///
  /// - Throws: `request` with the violations.
  func check(_ count: Int, _ name: String) throws(IdentityError) {
    let violations = Violation.of(count: count, name, self)
    guard violations.isEmpty else { throw .request(.validation(violations)) }
  }
}

extension MapBounds<TextBounds> {
  /// Returns a map whose size, keys and values are within the bounds.
  ///
  /// - Throws: `request` with the violations.
  func checked(_ map: NameMap<String>, _ name: String) throws(IdentityError) -> NameMap<String> {
    try count.check(map.count, name)
    for (key, value) in map {
      try keys.check(key, "a key of \(name)")
      try values.check(value, "a value of \(name)")
    }
    return map
  }
}
