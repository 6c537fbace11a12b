internal import TokenSecurityBase

extension IdentityPoolService {
  /// A page of a list.
  public struct Page<Element: Sendable>: Sendable {
    /// The page's elements.
    public let elements: [Element]
    /// The `next` parameter of the next page; nil on the last page.
    public let next: String?

    /// Makes a page of `found`, which has one more element than `size` where another page follows.
    init(_ found: [Element], _ size: Int, _ list: String, _ name: (Element) -> String) {
      elements = Array(found.prefix(size))
      next = found.count > size ? elements.last.map { PageToken.make(list, after: name($0)) } : nil
    }
  }
}

/// `NextToken`: the name of the list and the last element of the previous page, in base64. It is not a
/// secret.
enum PageToken {
  static func make(_ list: String, after name: String) -> String {
    Base64URL.string(Array("\(list)\n\(name)".utf8))
  }

  static func read(_ token: String?, of list: String) throws(IdentityError) -> String? {
    guard let token else { return nil }
    try TextBounds.identityPageToken.check(token, "NextToken")
    guard let bytes = try? Base64URL.decode(token), let text = String(validating: bytes, as: UTF8.self),
      text.utf8.starts(with: "\(list)\n".utf8)
    else { throw .nextTokenInvalid }
    return String(decoding: text.utf8.dropFirst(list.utf8.count + 1), as: UTF8.self)
  }
}
