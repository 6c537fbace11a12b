public import TokenLifetime
public import TokenSecurityBase

/// A message to a user.
///
/// Its description leaves out the code, the text and the address, so that logs do not get them.
public struct OutgoingMessage: Sendable, CustomStringConvertible, CustomReflectable {
  /// The message's id, the same each time that it is tried.
  public let id: String
  /// The pool's id.
  public let poolID: String
  /// The client's id; nil for operations of administrators.
  public let clientID: String?
  /// The user's name.
  public let userName: String
  /// Why it is sent.
  public let kind: MessageKind
  /// How it is sent.
  public let medium: DeliveryMedium
  /// The e-mail address or phone number.
  public let destination: String
  /// The subject of an e-mail; nil for SMS.
  public let subject: String?
  /// The text of an SMS, or the HTML of an e-mail.
  public let body: String
  /// The code or the temporary password, which the text has too.
  public let code: String
  /// When the code ends. The message is not sent after that.
  public let expires: Timestamp

  /// The text that logs may have.
  public var description: String { "\(medium.name) message \(id) (\(kind.name))" }

  /// The values that dumps may have.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

  /// The message as JSON, for files and webhooks.
  ///
  /// The members are `id`, `userPoolId`, `clientId`, `userName`, `triggerSource`, `deliveryMedium`,
  /// `destination`, `subject`, `message`, `code` and `expires`, a number of seconds since 1970.
  public var json: JSONObject {
    var object: JSONObject = [
      "id": .string(id), "userPoolId": .string(poolID), "userName": .string(userName),
      "triggerSource": .string("CustomMessage_\(kind.name)"),
      "deliveryMedium": .string(medium.name), "destination": .string(destination),
    ]
    if let clientID { object["clientId"] = .string(clientID) }
    if let subject { object["subject"] = .string(subject) }
    object["message"] = .string(body)
    object["code"] = .string(code)
    object["expires"] = .number(JSONNumber(expires.seconds))
    return object
  }
}

extension OutgoingMessage {
  /// Reads a message that was written as ``json``; nil for another object.
  package init?(_ object: JSONObject) {
    guard let id = object["id"]?.string, let poolID = object["userPoolId"]?.string,
      let userName = object["userName"]?.string,
      let kind = object["triggerSource"]?.string?.rest(after: "CustomMessage_")
        .flatMap({ MessageKind(name: $0) }),
      let medium = object["deliveryMedium"]?.string.flatMap({ DeliveryMedium(name: $0) }),
      let destination = object["destination"]?.string, let body = object["message"]?.string,
      let code = object["code"]?.string,
      let expires = object["expires"]?.int64.flatMap({ Timestamp(seconds: $0, nanoseconds: 0) })
    else { return nil }
    self.init(
      id: id, poolID: poolID, clientID: object["clientId"]?.string, userName: userName, kind: kind,
      medium: medium, destination: destination, subject: object["subject"]?.string, body: body, code: code,
      expires: expires)
  }
}
