/// A JSON object: members in the order in which they stand, no name twice.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Sendable, Hashable {
    public let name: String
    public internal(set) var value: JSONValue
  }

  /// The members in their order.
  public private(set) var members: [Member]
  /// Where each name stands, kept from ``manyMembers`` members on: looking up every name of an object stays linear.
  private var places: [ExactString: Int] = [:]

  private static let manyMembers = 16

  /// An object without members.
  public init() { members = [] }

  /// An object of members whose names are known to differ.
  init(distinct members: [Member]) {
    self.members = members
    indexNames()
  }

  private mutating func indexNames() {
    places = [:]
    guard members.count >= Self.manyMembers else { return }
    places.reserveCapacity(members.count)
    for (place, member) in members.enumerated() { places[ExactString(member.name)] = place }
  }

  private func place(_ name: String) -> Int? {
    guard members.count >= Self.manyMembers else {
      return members.firstIndex { $0.name.isIdentical(to: name) }
    }
    return places[ExactString(name)]
  }

  /// The names in their order.
  public var names: [String] { members.map(\.name) }

  /// The value of the member called `name`; setting nil removes it.
  public subscript(name: String) -> JSONValue? {
    get { place(name).map { members[$0].value } }
    set {
      switch (place(name), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil):
        members.remove(at: place)
        indexNames()
      case (nil, let value?):
        members.append(Member(name: name, value: value))
        if members.count > Self.manyMembers {
          places[ExactString(name)] = members.count - 1
        } else if members.count == Self.manyMembers {
          indexNames()
        }
      case (nil, nil): break
      }
    }
  }
}

extension JSONObject: Hashable {
  /// Objects are equal where they have the same members in the same order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool { left.members == right.members }

  public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// The last of several members with one name stands.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}
