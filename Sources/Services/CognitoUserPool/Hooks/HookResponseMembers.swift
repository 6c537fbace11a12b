internal import TokenSecurityBase

/// The member `response` of what a function returned. Null is absence.
package struct HookResponseMembers: Sendable {
  let trigger: HookTrigger
  private let members: JSONObject

  /// Reads what a function returned.
  ///
  /// A function that failed has `errorMessage` and no `response`.
  package init(_ trigger: HookTrigger, _ json: [UInt8]) throws(UserPoolError) {
    func invalid(_ rule: String) -> UserPoolError {
      .hookResponseInvalid(trigger: trigger.name, rule: rule)
    }
    let event: JSONValue
    do throws(JSONError) {
      event = try JSONValue(parsing: json, limits: JSONLimits(size: HookResponse.sizeLimit))
    } catch {
      throw invalid("\(error)")
    }
    guard let object = event.object else { throw invalid("it is \(event.kind), not an object") }
    if object["response"] == nil, let text = object["errorMessage"]?.string {
      throw Self.refusal(trigger, text)
    }
    guard let response = object["response"]?.object else {
      throw invalid("it is not the event with its member response")
    }
    self.trigger = trigger
    members = response
  }

  /// A failure of the function. Its text is cut, so that it fits into a message.
  static func refusal(_ trigger: HookTrigger, _ text: String) -> UserPoolError {
    .hookRefused(trigger: trigger.name, text: text.visible(upTo: 1_024))
  }

  private init(_ trigger: HookTrigger, _ members: JSONObject) {
    self.trigger = trigger
    self.members = members
  }

  func invalid(_ name: String, _ rule: String) -> UserPoolError {
    .hookResponseInvalid(trigger: trigger.name, rule: "\(name) \(rule)")
  }

  /// The value of a member that is not null.
  private func value(_ name: String) -> JSONValue? {
    guard let value = members[name], value != .null else { return nil }
    return value
  }

  func flag(_ name: String) throws(UserPoolError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else { throw invalid(name, "is not true or false") }
    return flag
  }

  /// A text of at most `limit` bytes.
  func text(_ name: String, limit: Int) throws(UserPoolError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw invalid(name, "is not a string") }
    guard text.utf8.count <= limit else { throw invalid(name, "has more than \(limit) bytes") }
    return text
  }

  func texts(_ name: String) throws(UserPoolError) -> [String]? {
    guard let value = value(name) else { return nil }
    guard let texts = value.strings else { throw invalid(name, "is not an array of strings") }
    return texts
  }

  /// An object of texts. Numbers and Booleans count as their texts, null members as absent.
  func textsByName(_ name: String) throws(UserPoolError) -> [ExactString: String]? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw invalid(name, "is not an object") }
    var texts: [ExactString: String] = [:]
    for member in object.members {
      switch member.value {
      case .string(let text): texts[ExactString(member.name)] = text
      case .number(let number): texts[ExactString(member.name)] = number.description
      case .bool(let flag): texts[ExactString(member.name)] = flag ? "true" : "false"
      case .null: break
      case .array, .object: throw invalid(name, "has the member \(member.name.quoted), which is not a text")
      }
    }
    return texts
  }

  func values(_ name: String) throws(UserPoolError) -> [JSONObject.Member] {
    guard let value = value(name) else { return [] }
    guard let object = value.object else { throw invalid(name, "is not an object") }
    return object.members.filter { $0.value != .null }
  }

  /// The members of an object in the response.
  func part(_ name: String) throws(UserPoolError) -> HookResponseMembers? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw invalid(name, "is not an object") }
    return HookResponseMembers(trigger, object)
  }
}
