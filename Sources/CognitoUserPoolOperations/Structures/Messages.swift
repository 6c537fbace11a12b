/// The texts of messages that verify.
public struct VerificationMessageTemplateType: Structure {
  /// The text of SMS.
  public var smsMessage: String?
  /// The text of e-mail.
  public var emailMessage: String?
  /// The subject of e-mail.
  public var emailSubject: String?
  /// The text of e-mail with a link.
  public var emailMessageByLink: String?
  /// The subject of e-mail with a link.
  public var emailSubjectByLink: String?
  /// Whether an e-mail has a code or a link.
  public var defaultEmailOption: DefaultEmailOptionType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SmsMessage", &smsMessage, .smsVerificationMessage)
    m.optional("EmailMessage", &emailMessage, .emailVerificationMessage)
    m.optional("EmailSubject", &emailSubject, .emailVerificationSubject)
    m.optional("EmailMessageByLink", &emailMessageByLink, .emailVerificationMessageByLink)
    m.optional("EmailSubjectByLink", &emailSubjectByLink, .emailVerificationSubjectByLink)
    m.optional("DefaultEmailOption", &defaultEmailOption)
  }
}

/// Whether an e-mail has a code or a link.
public enum DefaultEmailOptionType: ExactString, MemberChoice {
  /// A link.
  case confirmWithLink = "CONFIRM_WITH_LINK"
  /// A code.
  case confirmWithCode = "CONFIRM_WITH_CODE"
}

/// How administrators create users.
public struct AdminCreateUserConfigType: Structure {
  /// True where only administrators create users.
  public var allowAdminCreateUserOnly: Bool?
  /// The days in which a temporary password is valid, as older clients set them.
  public var unusedAccountValidityDays: Int64?
  /// The texts of invitations.
  public var inviteMessageTemplate: MessageTemplateType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AllowAdminCreateUserOnly", &allowAdminCreateUserOnly)
    m.optional("UnusedAccountValidityDays", &unusedAccountValidityDays, .unusedAccountDays)
    m.optional("InviteMessageTemplate", &inviteMessageTemplate)
  }
}

/// The texts of invitations.
public struct MessageTemplateType: Structure {
  /// The text of SMS.
  public var smsMessage: String?
  /// The text of e-mail.
  public var emailMessage: String?
  /// The subject of e-mail.
  public var emailSubject: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SMSMessage", &smsMessage, .smsInviteMessage)
    m.optional("EmailMessage", &emailMessage, .emailInviteMessage)
    m.optional("EmailSubject", &emailSubject, .emailVerificationSubject)
  }
}

/// How e-mail is sent.
public struct EmailConfigurationType: Structure {
  /// The identity that sends e-mail.
  public var sourceARN: String?
  /// The address of answers.
  public var replyToEmailAddress: String?
  /// The account that sends e-mail.
  public var emailSendingAccount: EmailSendingAccountType?
  /// The sender.
  public var from: String?
  /// The configuration set of SES.
  public var configurationSet: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SourceArn", &sourceARN, .arn)
    m.optional("ReplyToEmailAddress", &replyToEmailAddress, .emailAddress)
    m.optional("EmailSendingAccount", &emailSendingAccount)
    m.optional("From", &from, .text)
    m.optional("ConfigurationSet", &configurationSet, .configurationSet)
  }
}

/// The account that sends e-mail.
public enum EmailSendingAccountType: ExactString, MemberChoice {
  /// The service's own.
  case cognitoDefault = "COGNITO_DEFAULT"
  /// The developer's.
  case developer = "DEVELOPER"
}

/// How SMS are sent.
public struct SmsConfigurationType: Structure {
  /// The role that sends SMS.
  public var snsCallerARN: String?
  /// The external id.
  public var externalID: String?
  /// The region that sends SMS.
  public var snsRegion: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SnsCallerArn", &snsCallerARN, .optionalARN)
    m.optional("ExternalId", &externalID, .text)
    m.optional("SnsRegion", &snsRegion, .regionCode)
  }
}
