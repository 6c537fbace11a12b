package import TokenSecurityBase

/// An object of a policy document, whose members are read one by one. Members that nothing reads are refused.
package struct DocumentObject {
  /// The path of the object: `issuers[0]`, or nothing for the document.
  private let path: String
  private let members: JSONObject
  private var read: Set<ExactString> = []

  package init(_ members: JSONObject, at path: String) {
    self.members = members
    self.path = path
  }

  /// The path of a member.
  package func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// Reads a member; nil if it is absent.
  package mutating func value(_ name: String) -> JSONValue? {
    read.insert(ExactString(name))
    return members[name]
  }

  /// A member breaks a rule. Where it is absent, the sentence asks about one with a name like it.
  package func refused(_ name: String, _ rule: String) -> PolicyDocumentError {
    let others = members.names.filter { !read.contains(ExactString($0)) }
    guard members[name] == nil, let near = NearNames.of(name, among: others).first else {
      return .member(place(name), rule: rule)
    }
    return .member(place(name), rule: "\(rule); did you mean it by \(near.quoted)?")
  }

  /// Refuses members that were not read.
  package func refuseOthers() throws(PolicyDocumentError) {
    let known = read.map(\.text).filter { members[$0] == nil }.sorted()
    for name in members.names where !read.contains(ExactString(name)) {
      let hint = NearNames.question(NearNames.of(name, among: known)).map { "; \($0)" } ?? ""
      throw .member(place(name.quoted), rule: "is unknown here" + hint)
    }
  }

  // MARK: Members of one type

  package mutating func text(_ name: String) throws(PolicyDocumentError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string, !text.isEmpty else {
      throw refused(name, "must be a text that is not empty")
    }
    return text
  }

  package mutating func requiredText(_ name: String) throws(PolicyDocumentError) -> String {
    guard let text = try text(name) else { throw refused(name, "is required") }
    return text
  }

  /// A text, or a list of texts that is not empty; nil if the member is absent.
  package mutating func texts(_ name: String) throws(PolicyDocumentError) -> [String]? {
    guard let value = value(name) else { return nil }
    if let text = value.string, !text.isEmpty { return [text] }
    guard let texts = value.strings, !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
      throw refused(name, "must be a text or a list of texts, none of them empty")
    }
    return texts
  }

  package mutating func requiredTexts(_ name: String) throws(PolicyDocumentError) -> [String] {
    guard let texts = try texts(name) else { throw refused(name, "is required") }
    return texts
  }

  package mutating func bool(_ name: String) throws(PolicyDocumentError) -> Bool {
    guard let value = value(name) else { return false }
    guard let bool = value.bool else { throw refused(name, "must be true or false") }
    return bool
  }

  /// A whole number within a range; nil if the member is absent.
  package mutating func number(_ name: String, _ range: ClosedRange<Int64>) throws(PolicyDocumentError)
    -> Int64?
  {
    guard let value = value(name) else { return nil }
    guard let number = value.int64, range.contains(number) else {
      throw refused(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A number of seconds; nil if the member is absent.
  package mutating func seconds(_ name: String, _ range: ClosedRange<Int64>) throws(PolicyDocumentError)
    -> Duration?
  {
    try number(name, range).map { .seconds($0) }
  }

  package mutating func object(_ name: String) throws(PolicyDocumentError) -> DocumentObject? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw refused(name, "must be an object") }
    return DocumentObject(object, at: place(name))
  }

  /// A list of objects that is not empty.
  package mutating func objects(_ name: String, limit: Int) throws(PolicyDocumentError) -> [DocumentObject] {
    guard let list = value(name)?.array, (1...limit).contains(list.count) else {
      throw refused(name, "must be a list of 1 to \(limit) objects")
    }
    var objects: [DocumentObject] = []
    for (index, element) in list.enumerated() {
      let path = "\(place(name))[\(index)]"
      guard let object = element.object else { throw .member(path, rule: "must be an object") }
      objects.append(DocumentObject(object, at: path))
    }
    return objects
  }

  /// The members of an object that has any names.
  package mutating func entries(_ name: String) throws(PolicyDocumentError) -> [JSONObject.Member] {
    guard let value = value(name) else { return [] }
    guard let object = value.object else { throw refused(name, "must be an object") }
    return object.members
  }
}
