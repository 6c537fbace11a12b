internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A value in a request: a node of its JSON, or a field.
public struct MemberPlace: Sendable, Hashable {
  /// The index of a JSON node, or the complement of a field's index.
  let index: Int

  static let root = MemberPlace(index: 0)
}

/// The input of a request: JSON or a form, and labels, parameters and header fields.
struct MemberInput: Sendable {
  private(set) var document: JSONDocument?
  private(set) var fields: FieldTree
  let isForm: Bool

  /// Nothing: all members are absent.
  init() {
    fields = FieldTree()
    isForm = false
  }

  /// A JSON object. An empty body is an empty object.
  ///
  /// The body is empty afterwards. A refused one is wiped: a secret may be in it.
  ///
  /// - Throws: `serialization`, `bodyTooLarge`.
  init(json body: inout [UInt8], limit: Int, fields: FieldTree = FieldTree()) throws(OperationError) {
    self.fields = fields
    isForm = false
    guard !body.isEmpty else { return }
    do throws(OperationError) {
      document = try Self.object(body, limit)
      body = []
    } catch {
      _ = SecretBytes(wiping: &body)
      throw error
    }
  }

  private static func object(_ body: [UInt8], _ limit: Int) throws(OperationError) -> JSONDocument {
    guard body.count <= limit else { throw .bodyTooLarge(limit: limit) }
    let document: JSONDocument
    do {
      document = try JSONDocument(body, limits: JSONLimits(size: limit, depth: Self.depth))
    } catch {
      throw .serialization(rule: "\(error)")
    }
    switch document.kind(at: 0) {
    case .object: return document
    case .array: throw .serialization(rule: "Start of list found where not expected")
    default: throw .serialization(rule: "the body is not a JSON object")
    }
  }

  /// A form.
  init(form fields: FieldTree) {
    self.fields = fields
    isForm = true
  }

  /// The deepest nesting of a body.
  static let depth = 16

  mutating func wipe(_ wipe: (inout [UInt8]) -> Void) { document?.wipe(wipe) }

  // MARK: Members

  func member(_ name: String, of container: MemberPlace) -> MemberPlace? {
    if isForm || container.index < 0 { return field(name, of: container) }
    return document?.member(name, of: container.index).map { MemberPlace(index: $0) }
  }

  private func field(_ name: String, of container: MemberPlace) -> MemberPlace? {
    let parent = container == .root ? FieldTree.form : ~container.index
    return fields.child(name, of: parent).map { MemberPlace(index: ~$0) }
  }

  func label(_ name: String) -> MemberPlace? { outside(name, FieldTree.labels) }
  func parameter(_ name: String) -> MemberPlace? { outside(name, FieldTree.parameters) }
  func header(_ name: String) -> MemberPlace? { outside(name, FieldTree.headers) }

  private func outside(_ name: String, _ parent: Int) -> MemberPlace? {
    fields.child(name, of: parent).map { MemberPlace(index: ~$0) }
  }

  func isNull(_ place: MemberPlace) -> Bool {
    place.index >= 0 && document?.kind(at: place.index) == .null
  }

  func isStructure(_ place: MemberPlace) -> Bool {
    guard place.index >= 0, !isForm else { return place == .root || fields.isContainer(~place.index) }
    return document?.kind(at: place.index) == .object
  }

  // MARK: Values

  /// True for a field, which is always a text.
  func isField(_ place: MemberPlace) -> Bool { place.index < 0 }

  /// The text at a place; nil for another kind.
  func text(_ place: MemberPlace) -> String? {
    place.index < 0 ? fields.value(~place.index) : document?.string(at: place.index)
  }

  /// The document's text, for secrets.
  func document(at place: MemberPlace) -> (JSONDocument, JSONDocument.Place)? {
    guard place.index >= 0, let document, document.kind(at: place.index) == .string else { return nil }
    return (document, place.index)
  }

  /// The number's text at a place; nil for another kind.
  func number(_ place: MemberPlace) -> JSONNumber? {
    place.index < 0 ? nil : document?.number(at: place.index)
  }

  /// A whole number; nil for another kind, and out of range.
  func integer(_ place: MemberPlace) -> Int64? {
    if place.index < 0 {
      guard let text = fields.value(~place.index), !text.utf8.starts(with: "+".utf8) else { return nil }
      return Int64(text)
    }
    guard let document, document.kind(at: place.index) == .number else { return nil }
    return document.withBytes(at: place.index) { Self.integer($0) }
  }

  private static func integer(_ text: borrowing Span<UInt8>) -> Int64? {
    let isNegative = text[0] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in (isNegative ? 1 : 0)..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (product, isOver) = value.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) =
        isNegative
        ? product.subtractingReportingOverflow(Int64(digit)) : product.addingReportingOverflow(Int64(digit))
      guard !isOver, !isBeyond else { return nil }
      value = sum
    }
    return value
  }

  func boolean(_ place: MemberPlace) -> Bool? {
    if place.index < 0 {
      switch fields.value(~place.index) {
      case "true": return true
      case "false": return false
      default: return nil
      }
    }
    switch document?.kind(at: place.index) {
    case .true: return true
    case .false: return false
    default: return nil
    }
  }

  /// The elements of a list; nil for another kind.
  func elements(_ place: MemberPlace) -> [MemberPlace]? {
    if place.index < 0 { return fields.elements(of: ~place.index)?.map { MemberPlace(index: ~$0) } }
    guard let document, document.kind(at: place.index) == .array else { return nil }
    return document.elements(of: place.index).map { MemberPlace(index: $0) }
  }

  /// The entries of a map or structure; nil for another kind.
  func entries(of place: MemberPlace) -> [(key: String, value: MemberPlace)]? {
    if isForm || place.index < 0 {
      let parent = place == .root ? FieldTree.form : ~place.index
      return place == .root
        ? fields.children(of: parent).map { (fields.name($0), MemberPlace(index: ~$0)) }
        : fields.entries(of: parent)?.map { ($0.key, MemberPlace(index: ~$0.value)) }
    }
    guard let document, document.kind(at: place.index) == .object else { return nil }
    var all: [(key: String, value: MemberPlace)] = []
    document.forEachMember(of: place.index) { name, value in
      all.append((key: document.string(at: name) ?? "", value: MemberPlace(index: value)))
    }
    return all
  }

  // MARK: Messages

  /// The sentence about a value that cannot be converted, in the words of AWS's services.
  func conversion(of place: MemberPlace, to type: String) -> String {
    let found: String
    switch place.index < 0 ? .string : document?.kind(at: place.index) {
    case .array: return "Start of list found where not expected"
    case .object: return "Start of structure or map found where not expected."
    case .number: found = "NUMBER_VALUE"
    case .true: found = "TRUE_VALUE"
    case .false: found = "FALSE_VALUE"
    case .string: found = "STRING_VALUE"
    default: found = "VALUE_NULL"
    }
    return "\(found) can not be converted to \(type)"
  }

  /// The sentence about a value where a list, map or structure must be.
  func conversion(of place: MemberPlace, orScalar sentence: String) -> String {
    switch place.index < 0 ? .string : document?.kind(at: place.index) {
    case .array, .object: conversion(of: place, to: "")
    default: sentence
    }
  }

  /// A value as messages show it: `text`, `[a, b]` or `{a=b}`, bounded and escaped; nil for a structure.
  func shown(_ place: MemberPlace) -> String? {
    if let text = text(place) { return text.visible(upTo: Self.shownLimit) }
    guard place.index >= 0, let document else { return nil }
    switch document.kind(at: place.index) {
    case .number: return document.number(at: place.index)?.description.visible(upTo: Self.shownLimit)
    case .true: return "true"
    case .false: return "false"
    case .array:
      let texts = document.elements(of: place.index).prefix(Self.shownElements)
        .map { document.string(at: $0) ?? "…" }
      return "[\(texts.joined(separator: ", "))]".visible(upTo: Self.shownLimit)
    case .object:
      let entries = (entries(of: place) ?? []).prefix(Self.shownElements)
        .map { "\($0.key)=\(text($0.value) ?? "…")" }
      return "{\(entries.joined(separator: ", "))}".visible(upTo: Self.shownLimit)
    default: return nil
    }
  }

  private static let shownLimit = 256
  private static let shownElements = 16
}
