internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Messages to users: their texts, their room in the outbox, and the codes that they bring.
package struct UserMessages: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let hooks: HookRunner
  let outbox: OutboxCapacity

  /// Decides the text of a message: that of CustomMessage, or the pool's template. Called before the
  /// transaction that makes the code and calls ``WriteTransaction/enqueue(_:code:to:of:for:isSimulated:secrets:)``.
  ///
  /// - Parameters:
  ///   - kind: why the message is sent.
  ///   - medium: how it is sent.
  ///   - user: the user, and the client and metadata of the call.
  ///   - lifetime: the life of the code.
  ///   - isSimulated: true for a message to a user who does not exist. Default: false.
  /// - Returns: the text.
  /// - Throws: `deliveryFailed` where too many messages wait; `hookRefused`, `hookFailed`,
  ///   `hookResponseInvalid`.
  package func text(
    _ kind: MessageKind, by medium: DeliveryMedium, to user: HookUser, lifetime: Duration,
    isSimulated: Bool = false
  ) async throws(UserPoolError) -> MessageText {
    var template = MessageTemplate(kind, medium, user.pool.texts)
    // CustomMessage is not called for users who do not exist.
    // Asked here: a call that finds no function would copy the user several times.
    if !isSimulated, user.pool.hook(.customMessage) != nil,
      let custom = try await hooks.customMessage(user, kind)
    {
      let body = medium == .sms ? custom.sms : custom.email
      if let body, !body.isEmpty { template.body = body }
      if medium == .email, let subject = custom.emailSubject, !subject.isEmpty { template.subject = subject }
      try Self.check(template, kind, medium)
    }
    let text = MessageText(
      kind: kind, medium: medium, template: template,
      shownName: user.pool.usernameAttributes.isEmpty ? user.userName : nil, userName: user.userName,
      clientID: user.clientID, lifetime: lifetime, signal: outbox.signal)
    try await outbox.reserve(text.size, medium, of: user.pool.id, in: store)
    return text
  }

  /// Takes the room of a message that is not sent, so that a full outbox is the same for users who do not exist.
  ///
  /// - Throws: `deliveryFailed` where too many messages wait.
  nonisolated(nonsending) func reserveRoom(
    _ kind: MessageKind, by medium: DeliveryMedium, in pool: UserPool
  ) async throws(UserPoolError) {
    let template = MessageTemplate(kind, medium, pool.texts)
    try await outbox.reserve(MessageText.size(of: template), medium, of: pool.id, in: store)
  }

  /// A text of CustomMessage has the code, and in an invitation the user name.
  private static func check(
    _ template: MessageTemplate, _ kind: MessageKind, _ medium: DeliveryMedium
  ) throws(UserPoolError) {
    func invalid(_ rule: String) -> UserPoolError {
      .hookResponseInvalid(trigger: HookTrigger.customMessage.name, rule: rule)
    }
    let member = medium == .sms ? "smsMessage" : "emailMessage"
    guard template.has(MessagePlaceholder.code) else {
      throw invalid("\(member) lacks \(MessagePlaceholder.code)")
    }
    guard kind != .adminCreateUser || template.has(MessagePlaceholder.userName) else {
      throw invalid("\(member) lacks \(MessagePlaceholder.userName)")
    }
    let limit = medium == .sms ? 140 : 20_000
    guard template.body.unicodeScalars.count <= limit else {
      throw invalid("\(member) has more than \(limit) characters")
    }
    guard (template.subject ?? "").unicodeScalars.count <= 140 else {
      throw invalid("emailSubject has more than 140 characters")
    }
  }
}
