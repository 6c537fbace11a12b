package import Records
internal import TokenSecurityBase

/// An attribute of users: its type and bounds.
package struct SchemaAttribute: StoredFields, Hashable {
  /// The name, with `custom:` for a pool's own.
  package var name = ""
  /// `String`, `Number`, `DateTime` or `Boolean`.
  package var type = "String"
  package var isMutable = true
  package var isRequired = false
  /// True for an attribute that only administrators see (`dev:` in names).
  package var isDeveloperOnly = false
  /// The least length, or value for numbers.
  package var least: String?
  /// The greatest length, or value for numbers.
  package var greatest: String?

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("name", &name)
    f.text("type", &type)
    f.flag("mutable", &isMutable)
    f.flag("required", &isRequired)
    f.flag("developerOnly", &isDeveloperOnly)
    f.optional("least", &least)
    f.optional("greatest", &greatest)
  }
}

/// The rules of passwords.
package struct PasswordPolicy: StoredFields, Hashable {
  /// The least number of characters, 6 to 99.
  package var least: Int64 = 8
  package var needsUppercase = true
  package var needsLowercase = true
  package var needsDigit = true
  package var needsSymbol = true
  /// The number of earlier passwords that are refused, 0 to 24.
  package var history: Int64 = 0
  /// The days in which a temporary password is valid, 1 to 365.
  package var temporaryDays: Int64 = 7

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.number("least", &least)
    f.flag("uppercase", &needsUppercase)
    f.flag("lowercase", &needsLowercase)
    f.flag("digit", &needsDigit)
    f.flag("symbol", &needsSymbol)
    f.number("history", &history)
    f.number("temporaryDays", &temporaryDays)
  }
}

/// How devices are tracked.
package struct DeviceRule: StoredFields, Hashable {
  package var challengesNewDevices = false
  package var remembersOnPromptOnly = false

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.flag("challengesNew", &challengesNewDevices)
    f.flag("onPromptOnly", &remembersOnPromptOnly)
  }
}

/// The texts of messages; nil for the service's own. `{####}` is the code, `{username}` the user name.
package struct MessageTexts: StoredFields, Hashable {
  package var smsVerification: String?
  package var smsAuthentication: String?
  package var emailVerification: String?
  package var emailVerificationSubject: String?
  package var emailByLink: String?
  package var emailByLinkSubject: String?
  /// `CONFIRM_WITH_CODE` or `CONFIRM_WITH_LINK`.
  package var emailOption: String?
  package var emailFactor: String?
  package var emailFactorSubject: String?
  package var inviteSMS: String?
  package var inviteEmail: String?
  package var inviteEmailSubject: String?

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.optional("smsVerification", &smsVerification)
    f.optional("smsAuthentication", &smsAuthentication)
    f.optional("emailVerification", &emailVerification)
    f.optional("emailVerificationSubject", &emailVerificationSubject)
    f.optional("emailByLink", &emailByLink)
    f.optional("emailByLinkSubject", &emailByLinkSubject)
    f.optional("emailOption", &emailOption)
    f.optional("emailFactor", &emailFactor)
    f.optional("emailFactorSubject", &emailFactorSubject)
    f.optional("inviteSMS", &inviteSMS)
    f.optional("inviteEmail", &inviteEmail)
    f.optional("inviteEmailSubject", &inviteEmailSubject)
  }
}
