internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// The texts of messages.
@Suite struct MessagesTemplateTests {
  @Test func eachKindHasItsTemplate() {
    var texts = MessageTexts()
    texts.smsVerification = "verify {####}"
    texts.smsAuthentication = "sign in {####}"
    texts.emailVerification = "mail {####}"
    texts.emailVerificationSubject = "mail subject"
    texts.emailFactor = "factor {####}"
    texts.emailFactorSubject = "factor subject"
    texts.inviteSMS = "invite {username} {####}"
    texts.inviteEmail = "invited {username} {####}"
    texts.inviteEmailSubject = "invite subject"
    func template(_ kind: MessageKind, _ medium: DeliveryMedium) -> MessageTemplate {
      MessageTemplate(kind, medium, texts)
    }
    for kind in [
      MessageKind.signUp, .resendCode, .forgotPassword, .updateUserAttribute, .verifyUserAttribute,
    ] {
      #expect(template(kind, .sms) == MessageTemplate(body: "verify {####}"))
      #expect(template(kind, .email) == MessageTemplate(subject: "mail subject", body: "mail {####}"))
    }
    #expect(template(.authentication, .sms) == MessageTemplate(body: "sign in {####}"))
    #expect(
      template(.authentication, .email) == MessageTemplate(subject: "factor subject", body: "factor {####}"))
    #expect(template(.adminCreateUser, .sms) == MessageTemplate(body: "invite {username} {####}"))
    #expect(
      template(.adminCreateUser, .email)
        == MessageTemplate(subject: "invite subject", body: "invited {username} {####}"))
  }

  @Test(arguments: MessageKind.allCases, DeliveryMedium.allCases)
  func theServicesOwnTextsHaveTheCode(kind: MessageKind, medium: DeliveryMedium) {
    var empty = MessageTexts()
    empty.smsVerification = ""
    empty.emailVerification = ""
    for texts in [MessageTexts(), empty] {
      let template = MessageTemplate(kind, medium, texts)
      #expect(template.has("{####}"))
      #expect(template.has("{username}") == (kind == .adminCreateUser))
      #expect((template.subject == nil) == (medium == .sms))
    }
  }

  @Test func valuesAreEscapedInHTMLOnly() {
    let mail = MessageTemplate(subject: "for {username}", body: "<b>{username}</b>: {####} & more")
    let filled = mail.filled(code: "a<b>\"c'&", userName: "<script>")
    #expect(filled.subject == "for <script>")
    #expect(filled.body == "<b>&lt;script&gt;</b>: a&lt;b&gt;&quot;c&#39;&amp; & more")
    let sms = MessageTemplate(body: "{username} {####} {##} {####")
    #expect(sms.filled(code: "1&2", userName: "<j>").body == "<j> 1&2 {##} {####")
  }

  @Test func aUserNameThatLooksLikeAPlaceholderStays() {
    let filled = MessageTemplate(body: "{username}{####}{username}").filled(
      code: "{username}", userName: "{####}")
    #expect(filled.body == "{####}{username}{####}")
  }
}
