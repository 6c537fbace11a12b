internal import TokenSecurityBase

// The names of all members of a structure in a request, declared or not.

extension MemberInput {
  /// The fields of a structure; nil where it is JSON.
  private func children(of place: MemberPlace) -> [Int]? {
    guard isForm || place.index < 0 else { return nil }
    return fields.children(of: place == .root ? FieldTree.form : ~place.index)
  }

  /// The number of members of a structure.
  func count(of place: MemberPlace) -> Int {
    if let children = children(of: place) { return children.count }
    guard let document else { return 0 }
    var count = 0
    document.forEachMember(of: place.index) { _, _ in count += 1 }
    return count
  }

  /// The names of the members that a structure does not declare, the first ones up to a number.
  func names(of place: MemberPlace, notAmong schema: [MemberSchema], atMost limit: Int) -> [String] {
    let declared = Set(schema.map(\.name))
    var names: [String] = []
    if let children = children(of: place) {
      names = children.lazy.map { fields.name($0) }.filter { !declared.contains(ExactString($0)) }
    } else if let document {
      document.forEachMember(of: place.index) { name, _ in
        guard names.count < limit, let name = document.string(at: name) else { return }
        if !declared.contains(ExactString(name)) { names.append(name) }
      }
    }
    return Array(names.prefix(limit))
  }
}
