internal import TokenSecurityBase

/// Reads the elements of one policy document, and collects warnings.
struct DocumentReader {
  let document: JSONDocument
  let kind: AccessPolicyKind
  let limits: AccessPolicyLimits
  private(set) var hasVariables = false
  private(set) var isFirstVersion = false
  private var warnings: [(code: PolicyWarning.Code, text: String, offset: Int)] = []
  private var valueCount = 0
  private var sids: Set<ExactString> = []

  init(_ document: JSONDocument, kind: AccessPolicyKind, limits: AccessPolicyLimits) {
    self.document = document
    self.kind = kind
    self.limits = limits
  }

  // MARK: Places and warnings

  /// The byte at which a value begins.
  private func offset(_ place: JSONDocument.Place) -> Int {
    Int(document.nodes[place].start) - (document.kind(at: place) == .string ? 1 : 0)
  }

  /// The line and column of a value.
  func place(_ place: JSONDocument.Place) -> TextPosition {
    TextPosition(ofByte: offset(place), in: document.bytes)
  }

  mutating func warn(_ code: PolicyWarning.Code, _ text: String, at place: JSONDocument.Place) {
    warnings.append((code, text, offset(place)))
  }

  /// The warnings in the order of the text. Their places are found in one pass.
  func placedWarnings() -> [PolicyWarning] {
    var place = TextPosition(line: 1, column: 1)
    var passed = 0
    return warnings.sorted { $0.offset < $1.offset }.map { warning in
      let next = TextPosition(
        ofByte: warning.offset - passed, in: Array(document.bytes[passed...].prefix(warning.offset - passed)))
      place = TextPosition(
        line: place.line + next.line - 1,
        column: next.line == 1 ? place.column + next.column - 1 : next.column)
      passed = warning.offset
      return PolicyWarning(code: warning.code, text: warning.text, place: place)
    }
  }

  // MARK: Values

  /// The name of a member.
  func name(_ place: JSONDocument.Place) -> String { document.string(at: place) ?? "" }

  /// The text at a place.
  func text(_ place: JSONDocument.Place, of element: String) throws(AccessPolicyError) -> String {
    guard let text = document.string(at: place) else {
      throw .type(element: element, expected: "a string", at: self.place(place))
    }
    return try bounded(text, place)
  }

  func bounded(_ text: String, _ place: JSONDocument.Place) throws(AccessPolicyError) -> String {
    guard text.utf8.count <= limits.textSize else {
      throw .textTooLong(size: text.utf8.count, limit: limits.textSize, at: self.place(place))
    }
    return text
  }

  /// The elements of a list, or the one value; each counts as a value of the document.
  mutating func list(_ place: JSONDocument.Place) throws(AccessPolicyError) -> [JSONDocument.Place] {
    let places = document.kind(at: place) == .array ? document.elements(of: place) : [place]
    valueCount += places.count
    guard valueCount <= limits.values else {
      throw .tooManyValues(limit: limits.values, at: self.place(place))
    }
    return places
  }

  // MARK: The document

  /// Reads the document.
  mutating func statements() throws(AccessPolicyError) -> [Statement] {
    guard document.kind(at: 0) == .object else {
      throw .type(element: "the document", expected: "an object", at: place(0))
    }
    try document.forEachMember(of: 0) { (name, value) throws(AccessPolicyError) in
      switch self.name(name) {
      case "Version", "Statement": break
      case "Id":
        guard kind != .identity else { throw .elementNotAllowed("Id", in: kind, at: place(name)) }
      case let other: throw .elementUnknown(other, at: place(name))
      }
    }
    if let id = document.member("Id") { _ = try text(id, of: "Id") }
    try readVersion()
    guard let place = document.member("Statement") else {
      throw .elementMissing("Statement", at: self.place(0))
    }
    let places: [JSONDocument.Place]
    switch document.kind(at: place) {
    case .object: places = [place]
    case .array: places = document.elements(of: place)
    default: throw .type(element: "Statement", expected: "an object or a list", at: self.place(place))
    }
    guard !places.isEmpty else { throw .elementEmpty("Statement", at: self.place(place)) }
    guard places.count <= limits.statements else {
      throw .tooManyStatements(limit: limits.statements, at: self.place(places[limits.statements]))
    }
    var statements: [Statement] = []
    for (index, place) in places.enumerated() {
      statements.append(try statement(place, number: index + 1))
    }
    return statements
  }

  private mutating func readVersion() throws(AccessPolicyError) {
    guard let place = document.member("Version") else {
      isFirstVersion = true
      return
    }
    switch try text(place, of: "Version") {
    case "2012-10-17": hasVariables = true
    case "2008-10-17": isFirstVersion = true
    case let other: throw .versionUnknown(other, at: self.place(place))
    }
  }

  /// Notes a `Sid`, and warns of one that another statement has.
  mutating func note(sid: String, at place: JSONDocument.Place) {
    if !sid.isEmpty, !sids.insert(ExactString(sid)).inserted { warn(.sidRepeated, sid, at: place) }
  }
}
