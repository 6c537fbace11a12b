package import TokenSecurityEncodings

extension [String: String] {
  /// The texts as a member of a request. An empty dictionary is an absent member.
  package var asMember: [ExactString: String]? {
    guard !isEmpty else { return nil }
    var member: [ExactString: String] = [:]
    for (name, value) in self { member[ExactString(name)] = value }
    return member
  }
}
