internal import TokenSecurityBase

/// A step on the way to a member.
enum PathPart {
  case member(String)
  /// An element of a list, counted from 1.
  case element(Int)
  /// A value of a map.
  case key(String)

  /// The path as messages print it: `userAttributes.1.member.name`.
  static func text(_ parts: [PathPart]) -> String {
    parts.map { part in
      switch part {
      case .member(let name): lowerFirst(name)
      case .element(let number): "\(number).member"
      case .key(let key): "\(key.visible(upTo: 64)).member"
      }
    }
    .joined(separator: ".")
  }

  /// The names of the members on the way, without elements and keys: `UserPool.Policies`.
  static func members(_ parts: [PathPart]) -> String {
    parts.compactMap { if case .member(let name) = $0 { name } else { nil } }.joined(separator: ".")
  }

  private static func lowerFirst(_ name: String) -> String {
    guard let first = name.utf8.first else { return name }
    return String(decoding: [first.lowercasedASCII], as: UTF8.self)
      + String(decoding: name.utf8.dropFirst(), as: UTF8.self)
  }
}
