internal import TokenSecurityBase

/// A member of a request that its operation does not declare, and that is ignored.
public struct IgnoredMember: Sendable, Hashable {
  /// The members around it, `UserPool.Policies`; empty for a member of the input. All of them are declared.
  public let structure: String
  /// The name, which the caller chose.
  public let name: String

  /// A member.
  ///
  /// - Parameters:
  ///   - structure: the members around it.
  ///   - name: the name.
  package init(structure: String, name: String) {
    self.structure = structure
    self.name = name
  }

  // Those of String would compare by Unicode's rules.
  /// True if both names are equal, byte for byte.
  ///
  /// - Parameters:
  ///   - a: a member.
  ///   - b: another one.
  /// - Returns: true if they are.
  public static func == (a: IgnoredMember, b: IgnoredMember) -> Bool {
    a.structure.isIdentical(to: b.structure) && a.name.isIdentical(to: b.name)
  }

  /// Hashes the bytes of both names.
  ///
  /// - Parameter hasher: the hasher.
  public func hash(into hasher: inout Hasher) {
    ExactString(structure).hash(into: &hasher)
    ExactString(name).hash(into: &hasher)
  }
}

/// The members of a request that are ignored, a bounded number of them.
struct IgnoredMembers: Sendable {
  /// Maximum number of members, and of structures that are searched for them.
  private static let limit = 16

  /// True in requests, false in responses and stored values.
  var areNoted = false
  private(set) var all: Set<IgnoredMember> = []
  private var searched = 0

  /// The number of members that one more structure may add.
  var room: Int { searched < Self.limit ? Self.limit - all.count : 0 }

  /// Notes the members of a structure.
  ///
  /// - Parameters:
  ///   - names: their names.
  ///   - path: the way to the structure.
  mutating func note(_ names: [String], in path: [PathPart]) {
    let room = room
    guard room > 0 else { return }
    searched += 1
    for name in names.prefix(room) {
      all.insert(IgnoredMember(structure: PathPart.members(path), name: name))
    }
  }
}
