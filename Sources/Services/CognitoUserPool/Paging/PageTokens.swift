internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A page of a list.
package struct Page<Element: Sendable>: Sendable {
  /// The page's elements.
  package let elements: [Element]
  /// The token of the next page; nil on the last one.
  package let next: String?

  package init(elements: [Element], next: String?) {
    self.elements = elements
    self.next = next
  }
}

/// The pagination tokens of a list: each has where in the list its page begins.
package struct PageTokens: Sendable {
  /// The list: the operation and what it lists of, such as a group.
  private let list: [String]
  private let secrets: UserPoolSecrets

  private static let digestSize = 16

  package init(_ list: String..., secrets: UserPoolSecrets) {
    self.list = list
    self.secrets = secrets
  }

  private func digest(_ name: String) throws(UserPoolError) -> [UInt8] {
    Array(
      try secrets.digest((list + [name]).map { Array($0.utf8) }, for: .page).prefix(Self.digestSize))
  }

  /// The token after an element. It has the element's name, which its reader knows, and a digest that
  /// binds it to the list.
  package func token(after name: String) throws(UserPoolError) -> String {
    Base64URL.string(try digest(name) + Array(name.utf8))
  }

  /// Reads a token.
  ///
  /// - Returns: the name of the element before the page; nil without a token.
  /// - Throws: `pageTokenInvalid` for a token of another list.
  package func name(_ token: String?) throws(UserPoolError) -> String? {
    guard let token else { return nil }
    guard token.utf8.count <= 2_048, let bytes = try? Base64URL.decode(token),
      bytes.count >= Self.digestSize,
      let name = String(validating: bytes.dropFirst(Self.digestSize), as: UTF8.self)
    else { throw .pageTokenInvalid }
    let (given, expected) = (Array(bytes.prefix(Self.digestSize)), try digest(name))
    guard ConstantTime.areEqual(given.span, expected.span) else { throw .pageTokenInvalid }
    return name
  }

  /// Makes a page of `found`, which has one more element than `size` where another page follows.
  package func page<Element: Sendable>(
    _ found: [Element], _ size: Int, _ name: (Element) -> String
  ) throws(UserPoolError) -> Page<Element> {
    guard found.count > size, size > 0 else { return Page(elements: found, next: nil) }
    return Page(elements: Array(found.prefix(size)), next: try token(after: name(found[size - 1])))
  }

  /// The size of a page: 60 where a request has none, or 0.
  package static func size(_ limit: Int64?) -> Int {
    guard let limit, limit > 0 else { return 60 }
    return Int(min(limit, 60))
  }
}
