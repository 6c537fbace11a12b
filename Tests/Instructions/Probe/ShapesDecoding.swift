internal import TokenSecurityBase

extension Shape {
  /// Types that try one form after another, and that ask for members in another order than they have in the text.
  static func decoding() -> [Shape] {
    func decoded(_ name: String, _ text: @escaping (Int) -> String) -> Shape {
      Shape("decoded-" + name, from: 16_384) { size in
        let value = try JSONValue(parsing: text(size))
        return { _ = try JSONValueDecoder().decode(TriedForms.self, from: value) }
      }
    }
    return [
      decoded("tried-forms") { "[" + filled($0, separator: ",") { "\($0)" } + "]" },
      decoded("other-order") { "{" + filled($0, separator: ",") { "\"\\u0061\($0)\":\($0)" } + "}" },
    ]
  }
}

/// Tries a text for each value, then a list, then members from the last to the first, with a name that is absent
/// after each.
private enum TriedForms: Decodable {
  case text(String)
  case list([TriedForms])
  case members([String: TriedForms])
  case number(Int)

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([TriedForms].self) {
      self = .list(list)
    } else if let container = try? decoder.container(keyedBy: Name.self) {
      var members: [String: TriedForms] = [:]
      for name in container.allKeys.reversed() {
        members[name.stringValue] = try container.decode(TriedForms.self, forKey: name)
        if container.contains(Name(stringValue: "-" + name.stringValue)) { members = [:] }
      }
      self = .members(members)
    } else {
      self = .number(try value.decode(Int.self))
    }
  }
}
