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
  private var indices: [ExactString: Int] = [:]

  private static let manyMembers = 16

  /// An empty object.
  public init() { members = [] }

  /// An object of members with distinct names.
  init(distinct members: [Member]) {
    self.members = members
    indexNames()
  }

  private mutating func indexNames() {
    indices = [:]
    guard members.count >= Self.manyMembers else { return }
    indices.reserveCapacity(members.count)
    for (index, member) in members.enumerated() { indices[ExactString(member.name)] = index }
  }

  private func index(_ name: String) -> Int? {
    guard members.count >= Self.manyMembers else {
      return members.firstIndex { $0.name.isIdentical(to: name) }
    }
    return indices[ExactString(name)]
  }

  /// The names in their order.
  public var names: [String] { members.map(\.name) }

  /// The value of the member called `name`; nil if absent. Assigning nil removes it.
  public subscript(name: String) -> JSONValue? {
    get { index(name).map { members[$0].value } }
    set {
      switch (index(name), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil):
        members.remove(at: index)
        indexNames()
      case (nil, let value?):
        members.append(Member(name: name, value: value))
        if members.count > Self.manyMembers {
          indices[ExactString(name)] = members.count - 1
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
