// Text from outside is compared by its bytes. The standard library's `==`, `hash(into:)`, `hasPrefix`, `<`
// and `switch` use canonical equivalence: U+212A KELVIN SIGN equals `K`, and NFD equals NFC. Protocols
// compare code units (RFC 7515 section 5.3, RFC 8259 section 8.3), and so do databases and other programs.
//
// These overloads replace the standard library's in every file of this package that imports
// `TokenSecurityBase`, also in synthesized `==` and `hash(into:)`. They do not affect generic code: a
// `Dictionary` or `Set` of names uses `ExactString` as its key. A test finds remaining uses of the standard
// library's functions in the object files.

extension String {
  /// True if both texts have the same UTF-8 bytes.
  package func isIdentical(to other: String) -> Bool {
    let left = utf8.span
    let right = other.utf8.span
    return left.count == right.count && ByteWords.areEqual(left, from: 0, right)
  }

  package static func == (left: String, right: String) -> Bool { left.isIdentical(to: right) }
  package static func != (left: String, right: String) -> Bool { !left.isIdentical(to: right) }
  package static func < (left: String, right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
  package static func > (left: String, right: String) -> Bool { right < left }

  /// True if the text begins with the bytes of `prefix`.
  package func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// True if the text ends with the bytes of `suffix`.
  package func hasSuffix(_ suffix: String) -> Bool {
    utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

extension Substring {
  package static func == (left: Substring, right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
  package static func == (left: Substring, right: Substring) -> Bool { left.utf8.elementsEqual(right.utf8) }
  package static func != (left: Substring, right: String) -> Bool { !left.utf8.elementsEqual(right.utf8) }
  package static func != (left: Substring, right: Substring) -> Bool { !left.utf8.elementsEqual(right.utf8) }

  /// True if the text begins with the bytes of `prefix`.
  package func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// True if the text ends with the bytes of `suffix`.
  package func hasSuffix(_ suffix: String) -> Bool {
    utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

extension Optional<String> {
  package static func == (left: String?, right: String?) -> Bool {
    switch (left, right) {
    case (let left?, let right?): left.isIdentical(to: right)
    case (nil, nil): true
    default: false
    }
  }
  package static func != (left: String?, right: String?) -> Bool { !(left == right) }

  // For literals on the right: otherwise the compiler may choose the standard library's generic `==`.
  package static func == (left: String?, right: String) -> Bool {
    left.map { $0.isIdentical(to: right) } ?? false
  }
  package static func != (left: String?, right: String) -> Bool {
    left.map { !$0.isIdentical(to: right) } ?? true
  }
}

extension Array<String> {
  package static func == (left: [String], right: [String]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
  }
  package static func != (left: [String], right: [String]) -> Bool { !(left == right) }
}

/// Patterns of a `switch` over text.
package func ~= (pattern: String, value: String) -> Bool { pattern.isIdentical(to: value) }

/// Patterns of a `switch` over optional text.
package func ~= (pattern: String, value: String?) -> Bool {
  value.map { pattern.isIdentical(to: $0) } ?? false
}

/// Patterns of a `switch` over a substring.
package func ~= (pattern: String, value: Substring) -> Bool { value == pattern }

extension Sequence<String> {
  /// True if an element has the bytes of `text`.
  @_specialize(where Self == [String])
  package func contains(_ text: String) -> Bool { contains { $0.isIdentical(to: text) } }

  /// The elements in the order of their bytes.
  package func sorted() -> [String] { sorted { $0 < $1 } }
}

extension Collection<String> {
  /// The index of the first element with the bytes of `text`.
  package func firstIndex(of text: String) -> Index? { firstIndex { $0.isIdentical(to: text) } }
}

extension Hasher {
  /// Adds the bytes of `text` and an end mark that UTF-8 cannot contain.
  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { bytes in unsafe combine(bytes: UnsafeRawBufferPointer(bytes)) }
    combine(0xFF as UInt8)
  }

  /// Adds whether the text is present, and its bytes.
  package mutating func combine(_ text: String?) {
    combine(text != nil)
    if let text { combine(text) }
  }

  /// Adds the number of texts, and each.
  package mutating func combine(_ texts: [String]) {
    combine(texts.count)
    for text in texts { combine(text) }
  }
}
