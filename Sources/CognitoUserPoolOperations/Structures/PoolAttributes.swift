/// An attribute that a code verifies.
public enum VerifiedAttributeType: ExactString, MemberChoice {
  /// The phone number.
  case phoneNumber = "phone_number"
  /// The e-mail address.
  case email = "email"
}

/// An attribute that users may also sign in with.
public enum AliasAttributeType: ExactString, MemberChoice {
  /// The phone number.
  case phoneNumber = "phone_number"
  /// The e-mail address.
  case email = "email"
  /// The preferred user name.
  case preferredUsername = "preferred_username"
}

/// An attribute that users sign in with in place of a user name.
public enum UsernameAttributeType: ExactString, MemberChoice {
  /// The phone number.
  case phoneNumber = "phone_number"
  /// The e-mail address.
  case email = "email"
}
