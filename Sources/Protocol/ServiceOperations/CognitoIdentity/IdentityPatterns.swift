extension TextPattern {
  /// The id of a pool or identity: a region, a colon, a UUID.
  static let identityID = TextPattern(
    #"[\w-]+:[0-9a-f-]+"#, example: "eu-west-1:01234567-89ab-cdef-0123-456789abcdef",
    sequence: [#"[\w-]+"#, ":", "[0-9a-f-]+"])
  /// A kind of role.
  static let roleType = TextPattern("(un)?authenticated", texts: ["authenticated", "unauthenticated"])
}
