internal import TokenSecurityBase

/// The placeholders of templates.
package enum MessagePlaceholder {
  /// The code, or the temporary password.
  package static let code = "{####}"
  package static let userName = "{username}"
  /// The placeholder of a link for CustomMessage. Links are not sent.
  package static let link = "{##Click Here##}"
}

/// A message before its code and user name are filled in.
package struct MessageTemplate: Sendable, Hashable {
  /// The subject of an e-mail; nil for SMS.
  package var subject: String?
  /// The text of an SMS, or the HTML of an e-mail.
  package var body: String

  package init(subject: String? = nil, body: String) {
    self.subject = subject
    self.body = body
  }

  /// The pool's template, or the service's own.
  ///
  /// A pool that confirms by link gets a code: its template for links has no placeholder for one.
  package init(_ kind: MessageKind, _ medium: DeliveryMedium, _ texts: MessageTexts) {
    func first(_ text: String?, _ fallback: String) -> String {
      text.flatMap { $0.isEmpty ? nil : $0 } ?? fallback
    }
    switch (medium, kind) {
    case (.sms, .authentication):
      self.init(body: first(texts.smsAuthentication, "Your authentication code is {####}. "))
    case (.email, .authentication):
      self.init(
        subject: first(texts.emailFactorSubject, "Your authentication code"),
        body: first(texts.emailFactor, "Your authentication code is {####}. "))
    case (.sms, .adminCreateUser):
      self.init(
        body: first(texts.inviteSMS, "Your username is {username} and temporary password is {####}. "))
    case (.email, .adminCreateUser):
      self.init(
        subject: first(texts.inviteEmailSubject, "Your temporary password"),
        body: first(texts.inviteEmail, "Your username is {username} and temporary password is {####}. "))
    case (.sms, _):
      self.init(body: first(texts.smsVerification, Self.verification(kind)))
    case (.email, _):
      self.init(
        subject: first(texts.emailVerificationSubject, "Your verification code"),
        body: first(texts.emailVerification, Self.verification(kind)))
    }
  }

  private static func verification(_ kind: MessageKind) -> String {
    kind == .forgotPassword ? "Your password reset code is {####}. " : "Your verification code is {####}. "
  }

  /// The message with its values. In HTML they are escaped: a temporary password has characters that HTML
  /// interprets, and a user chooses the user name.
  package func filled(code: String, userName: String) -> MessageTemplate {
    let isHTML = subject != nil
    return MessageTemplate(
      subject: subject.map { Self.fill($0, code, userName) },
      body: Self.fill(body, isHTML ? Self.escaped(code) : code, isHTML ? Self.escaped(userName) : userName))
  }

  /// Fills both placeholders in one pass, so that a user name that looks like one stays as it is.
  private static func fill(_ template: String, _ code: String, _ userName: String) -> String {
    let bytes = Array(template.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + code.utf8.count + userName.utf8.count)
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] != UInt8(ascii: "{") {
        result.append(bytes[offset])
        offset += 1
      } else if ByteSearch.has(MessagePlaceholder.code, bytes.span, at: offset) {
        result.append(contentsOf: code.utf8)
        offset += MessagePlaceholder.code.utf8.count
      } else if ByteSearch.has(MessagePlaceholder.userName, bytes.span, at: offset) {
        result.append(contentsOf: userName.utf8)
        offset += MessagePlaceholder.userName.utf8.count
      } else {
        result.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): result.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): result.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): result.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): result.append(contentsOf: "&#39;".utf8)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// True where the body has a placeholder.
  package func has(_ placeholder: String) -> Bool {
    ByteSearch.firstIndex(of: placeholder, in: body.utf8.span) != nil
  }
}
