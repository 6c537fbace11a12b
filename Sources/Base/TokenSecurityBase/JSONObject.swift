/// A JSON object: an ordered list of members with distinct names.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public internal(set) var value: JSONValue
  }

  /// The members in their order.
  public private(set) var members: [Member]
  /// The index of each name, for objects of at least ``manyMembers`` members, so that lookups of all names
  /// stay linear.
  private var places: [ExactString: Int] = [:]

  private static let manyMembers = 16

  /// An empty object.
  public init() { members = [] }

  /// An object of members with distinct names.
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

  /// The value of the member called `name`; nil if absent. Assigning nil removes it.
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
  /// Objects are equal if they have the same members in the same order.
  ///
  /// - Parameters:
  ///   - left: an object.
  ///   - right: an object.
  /// - Returns: true if they are equal.
  public static func == (left: JSONObject, right: JSONObject) -> Bool { left.members == right.members }

  /// Hashes the members.
  ///
  /// - Parameter hasher: the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object from a literal. Of several members with one name the last is kept.
  ///
  /// - Parameter elements: names and values.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}
