internal import TokenSecurityBase

/// The members of a statement's object.
private struct Members {
  var sid: JSONDocument.Place? = nil
  var effect: JSONDocument.Place? = nil
  var principal: Element? = nil
  var action: Element? = nil
  var resource: Element? = nil
  var condition: JSONDocument.Place? = nil

  /// An element, or its negation.
  struct Element {
    let name: String
    let isNegated: Bool
    let value: JSONDocument.Place
  }
}

extension DocumentReader {
  /// Reads a statement.
  mutating func statement(_ place: JSONDocument.Place, number: Int) throws(AccessPolicyError) -> Statement {
    guard document.kind(at: place) == .object else {
      throw .type(element: "a statement", expected: "an object", at: self.place(place))
    }
    let members = try members(place)
    var sid: String? = nil
    if let found = members.sid {
      let text = try text(found, of: "Sid")
      note(sid: text, at: found)
      sid = text
    }
    let isAllow = try isAllow(members.effect, in: place)
    guard let action = members.action else { throw .elementMissing("Action", at: self.place(place)) }
    let principals = try principals(members.principal, isAllow: isAllow, in: place)
    return Statement(
      number: number, sid: sid, isAllow: isAllow, principals: principals, actions: try actions(action),
      resources: try resources(members.resource, isAllow: isAllow, in: place),
      conditions: try members.condition.map { (place) throws(AccessPolicyError) in try conditions(place) }
        ?? [])
  }

  private func members(_ place: JSONDocument.Place) throws(AccessPolicyError) -> Members {
    var members = Members()
    func set(
      _ element: inout Members.Element?, _ name: String, _ value: JSONDocument.Place, _ at: JSONDocument.Place
    ) throws(AccessPolicyError) {
      if let other = element { throw .elementsExclusive(other.name, name, at: self.place(at)) }
      element = Members.Element(name: name, isNegated: name.hasPrefix("Not"), value: value)
    }
    try document.forEachMember(of: place) { (key, value) throws(AccessPolicyError) in
      let name = self.name(key)
      switch name {
      case "Sid": members.sid = value
      case "Effect": members.effect = value
      case "Condition": members.condition = value
      case "Principal", "NotPrincipal":
        guard kind != .identity else { throw .elementNotAllowed(name, in: kind, at: self.place(key)) }
        try set(&members.principal, name, value, key)
      case "Action", "NotAction": try set(&members.action, name, value, key)
      case "Resource", "NotResource":
        guard kind != .trust else { throw .elementNotAllowed(name, in: kind, at: self.place(key)) }
        try set(&members.resource, name, value, key)
      default: throw .elementUnknown(name, at: self.place(key))
      }
    }
    return members
  }

  private func isAllow(_ effect: JSONDocument.Place?, in statement: JSONDocument.Place)
    throws(AccessPolicyError)
    -> Bool
  {
    guard let effect else { throw .elementMissing("Effect", at: place(statement)) }
    switch try text(effect, of: "Effect") {
    case "Allow": return true
    case "Deny": return false
    case let other: throw .effectUnknown(other, at: place(effect))
    }
  }

  private mutating func texts(_ element: Members.Element) throws(AccessPolicyError) -> [(
    text: String, place: JSONDocument.Place
  )] {
    var texts: [(text: String, place: JSONDocument.Place)] = []
    for place in try list(element.value) { texts.append((try text(place, of: element.name), place)) }
    // An element without values matches nothing, and its negation everything.
    guard !texts.isEmpty || !element.isNegated else {
      throw .elementEmpty(element.name, at: place(element.value))
    }
    return texts
  }

  private mutating func actions(_ element: Members.Element) throws(AccessPolicyError)
    -> Statement.ActionElement
  {
    let texts = try texts(element)
    if texts.isEmpty { warn(.actionNeverMatches, element.name, at: element.value) }
    for (text, place) in texts
    where !text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*") })
      || text.utf8.firstRange(of: "${".utf8) != nil
    {
      warn(.actionNeverMatches, text, at: place)
    }
    return Statement.ActionElement(isNegated: element.isNegated, texts: texts.map(\.text))
  }

  private mutating func resources(
    _ element: Members.Element?, isAllow: Bool, in statement: JSONDocument.Place
  ) throws(AccessPolicyError) -> Statement.ResourceElement? {
    guard let element else {
      // That of a resource-based policy is the resource that has the policy.
      guard kind != .identity else { throw .elementMissing("Resource", at: place(statement)) }
      return nil
    }
    let texts = try texts(element)
    if texts.isEmpty { warn(.resourceNeverMatches, element.name, at: element.value) }
    var prepared: [PolicyText] = []
    for (source, place) in texts {
      let text = try policyText(source, place)
      if text.hasVariables, text.colonsBeforeVariables < 5 {
        throw .variableMisplaced(source, at: self.place(place))
      }
      if !Self.canMatch(source) {
        warn(.resourceNeverMatches, source, at: place)
      } else if source != "*", !Self.namesService(source) {
        throw .valueInvalid(source, expected: "* or an ARN with the name of a service", at: self.place(place))
      }
      if element.isNegated, isAllow, text.canLackValue { warn(.notResourceVariable, source, at: place) }
      prepared.append(text)
    }
    return Statement.ResourceElement(isNegated: element.isNegated, texts: prepared)
  }

  /// False for a text whose beginning no ARN has, and for one of fewer than six parts of which none ends with a star, which
  /// could match colons.
  private static func canMatch(_ text: String) -> Bool {
    let parts = text.parts(at: ":", most: 6)
    guard parts.count == 6 || parts.contains(where: { $0.hasSuffix("*") }) else { return false }
    let beginning = text.utf8.prefix { $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "?") }
    guard beginning.count < 4, beginning.count < text.utf8.count else {
      return beginning.starts(with: "arn:".utf8)
    }
    return "arn:".utf8.starts(with: beginning)
  }

  /// True if the third part of an ARN is without wildcards: IAM allows none in the service.
  private static func namesService(_ text: String) -> Bool {
    let parts = text.parts(at: ":", most: 6)
    return parts.count > 2
      && !parts[2].utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
  }

  /// A text that may have variables.
  mutating func policyText(_ source: String, _ place: JSONDocument.Place) throws(AccessPolicyError)
    -> PolicyText
  {
    if isFirstVersion, source.utf8.firstRange(of: "${".utf8) != nil {
      warn(.variableIsLiteral, source, at: place)
    }
    do { return try PolicyText(source, hasVariables: hasVariables) } catch {
      throw .variableMalformed(source, at: self.place(place))
    }
  }

  // MARK: Principals

  private mutating func principals(
    _ element: Members.Element?, isAllow: Bool, in statement: JSONDocument.Place
  ) throws(AccessPolicyError) -> PrincipalElement? {
    guard let element else {
      guard kind == .identity else { throw .elementMissing("Principal", at: place(statement)) }
      return nil
    }
    // IAM does not support it: it would allow everyone else, also callers without a name.
    guard !element.isNegated || !isAllow else {
      throw .elementsExclusive(element.name, "\"Effect\": \"Allow\"", at: place(element.value))
    }
    var entries: [PrincipalElement.Entry] = []
    switch document.kind(at: element.value) {
    case .string:
      let name = try text(element.value, of: element.name)
      guard name == "*" else { throw .principalInvalid(name, at: place(element.value)) }
      entries = [.everyone]
    case .object:
      try document.forEachMember(of: element.value) { (key, value) throws(AccessPolicyError) in
        guard let kind = AccessPrincipal.Kind(name: self.name(key)) else {
          throw .principalInvalid(self.name(key), at: self.place(key))
        }
        for place in try list(value) { entries.append(try entry(kind, place)) }
      }
    default:
      throw .type(element: element.name, expected: "\"*\" or an object", at: place(element.value))
    }
    if entries.isEmpty {
      guard !element.isNegated else { throw .elementEmpty(element.name, at: place(element.value)) }
      warn(.principalNeverMatches, element.name, at: element.value)
    }
    return PrincipalElement(isNegated: element.isNegated, entries: entries)
  }

  private mutating func entry(_ kind: AccessPrincipal.Kind, _ place: JSONDocument.Place)
    throws(AccessPolicyError) -> PrincipalElement.Entry
  {
    let name = try text(place, of: kind.name)
    if name == "*" {
      guard kind == .aws else { throw .principalInvalid(name, at: self.place(place)) }
      return .everyone
    }
    if kind == .aws, name.isDigits(count: 12) { return .account(name) }
    let parts = name.parts(at: ":", most: 6)
    if kind == .aws, parts.count == 6, parts[0] == "arn", parts[2] == "iam", parts[5] == "root" {
      return .account(parts[4])
    }
    if name.isEmpty || name.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) {
      warn(.principalNeverMatches, name, at: place)
    }
    return .named(kind, name)
  }
}
