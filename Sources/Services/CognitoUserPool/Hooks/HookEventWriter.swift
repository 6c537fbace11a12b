package import TokenSecurityBase
package import TokenSecurityCrypto

/// Events as AWS Lambda's functions get them.
package enum HookEventWriter {
  /// An event's parts that depend on its trigger.
  package struct Parts {
    /// `triggerSource` after ``HookTrigger/sourceName``.
    package var source: String
    package var version = "1"
    /// The members of `request` beside the client's metadata.
    package var request: JSONObject
    /// The members of `response`, which the function fills in.
    package var response: JSONObject

    package init(_ source: String, request: JSONObject, response: JSONObject = [:]) {
      self.source = source
      self.request = request
      self.response = response
    }
  }

  /// `callerContext.clientId` of calls without a client.
  static let noClient = "CLIENT_ID_NOT_APPLICABLE"

  /// Writes an event.
  package static func event(_ trigger: HookTrigger, _ parts: Parts, _ user: HookUser) -> SecretJSON {
    var bytes = json(trigger, parts, user)
    return SecretJSON(SecretBytes(wiping: &bytes))
  }

  /// Writes an event with the user's password as the last member of `request`.
  package static func event(
    _ trigger: HookTrigger, _ parts: Parts, _ user: HookUser, password: borrowing SecretBytes
  ) -> SecretJSON {
    let json = json(trigger, parts, user)
    var bytes: [UInt8] = []
    // Room for all escapes: no copy of the password is left where the array grew.
    bytes.reserveCapacity(json.count + password.count * 6 + 64)
    // The event ends with the braces of `request` and of itself.
    bytes.append(contentsOf: json.dropLast(2))
    bytes.append(contentsOf: ",\"password\":".utf8)
    password.withBytes { JSONWriter.append($0, to: &bytes) }
    bytes.append(contentsOf: "}}".utf8)
    return SecretJSON(SecretBytes(wiping: &bytes))
  }

  /// `request` has members and comes last.
  private static func json(_ trigger: HookTrigger, _ parts: Parts, _ user: HookUser) -> [UInt8] {
    var request = parts.request
    if !user.clientMetadata.isEmpty { request["clientMetadata"] = .texts(user.clientMetadata) }
    let event: JSONObject = [
      "version": .string(parts.version),
      "triggerSource": .string("\(trigger.sourceName)_\(parts.source)"),
      "region": .string(user.pool.region),
      "userPoolId": .string(user.pool.id),
      "userName": .string(user.userName),
      "callerContext": .object([
        "awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": .string(user.clientID ?? noClient),
      ]),
      "response": .object(parts.response),
      "request": .object(request),
    ]
    return JSONWriter.write(event)
  }
}

extension JSONValue {
  /// An object of texts, in the order of their names.
  package static func texts(_ texts: [ExactString: String]) -> JSONValue {
    var object = JSONObject()
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { object[name.text] = .string(text) }
    return .object(object)
  }

  /// The same; null without texts.
  static func textsOrNull(_ texts: [ExactString: String]) -> JSONValue {
    texts.isEmpty ? .null : .texts(texts)
  }
}
