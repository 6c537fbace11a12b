/// The kind of a member, as its declaration gives it.
public indirect enum MemberKind: Sendable {
  /// A text.
  case text(TextBounds)
  /// A text that is wiped.
  case secret(TextBounds)
  /// A whole number.
  case integer(IntegerBounds)
  /// A boolean.
  case boolean
  /// An instant.
  case timestamp
  /// Bytes, in base64.
  case blob(BlobBounds)
  /// One of these texts.
  case choice([ExactString])
  /// A structure.
  case structure([MemberSchema])
  /// A list.
  case list(MemberKind, CountBounds)
  /// A map from texts.
  case map(keys: TextBounds, values: MemberKind, CountBounds, isSensitive: Bool)
}

/// A member, as its declaration gives it.
public struct MemberSchema: Sendable {
  /// The name.
  public let name: ExactString
  /// The kind, with its bounds.
  public let kind: MemberKind
  /// True where the member must be present.
  public let isRequired: Bool
  /// Where a request has the member.
  public let location: MemberLocation
}

/// Where a request has a member.
public enum MemberLocation: Sendable, Hashable {
  /// In the body.
  case body
  /// The label of this name in the path.
  case path(ExactString)
  /// The parameter of this name in the query.
  case query(ExactString)
  /// The header field of this name.
  case header(ExactString)
}

extension Structure {
  /// The members of the structure.
  public static var schema: [MemberSchema] {
    var members = Members(recording: ())
    var value = Self()
    value.members(&members)
    return members.recorded
  }
}

extension Structure {
  /// The text, or the texts, of a member; empty for an absent one, and for another type. A member of a structure
  /// has its structure's name before it: `UserPool.Id`.
  func texts(of name: ExactString) -> [String] {
    var members = Members(finding: name)
    var value = self
    value.members(&members)
    return members.texts
  }
}
