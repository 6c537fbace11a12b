/// A JSON object: members in the order in which they stand, no name twice.
public struct JSONObject: Sendable, Hashable {
  /// A name and its value.
  public struct Member: Sendable, Hashable {
    public let name: String
    public internal(set) var value: JSONValue
  }

  /// The members in their order.
  public private(set) var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// An object of members whose names are known to differ.
  init(distinct members: [Member]) { self.members = members }

  /// The names in their order.
  public var names: [String] { members.map(\.name) }

  /// The value of the member called `name`; setting nil removes it.
  public subscript(name: String) -> JSONValue? {
    get { members.first { $0.name.isIdentical(to: name) }?.value }
    set {
      let index = members.firstIndex { $0.name.isIdentical(to: name) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// The last of several members with one name stands.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}
