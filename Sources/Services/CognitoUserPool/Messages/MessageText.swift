/// A message whose text is decided, and whose code and address are not known yet.
package struct MessageText: Sendable {
  package let kind: MessageKind
  package let medium: DeliveryMedium
  package let template: MessageTemplate
  /// The text that replaces `{username}`; nil: the address, in pools whose users sign in with one.
  let shownName: String?
  let userName: String
  let clientID: String?
  /// The life of the code.
  let lifetime: Duration
  let signal: OutboxSignal

  /// The bytes that it takes in the outbox, about.
  var size: Int { Self.size(of: template) }

  static func size(of template: MessageTemplate) -> Int {
    template.body.utf8.count + (template.subject?.utf8.count ?? 0) + 1_024
  }
}
