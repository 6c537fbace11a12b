package import TokenLifetime
package import TokenSecurityBase

/// A stored value whose fields are declared.
package protocol StoredFields: Sendable {
  init()
  /// Reads or writes the fields, in the order in which they are stored.
  mutating func fields(_ f: inout RowFields)
}

extension StoredFields {
  /// The value as a JSON object.
  package var json: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  /// Reads a JSON object; nil for a damaged one.
  package init?(json: [UInt8]) {
    guard let document = try? JSONDocument(json, limits: JSONLimits(size: RecordLimits.row)) else {
      return nil
    }
    self.init(document, at: 0)
  }

  init?(_ document: JSONDocument, at place: JSONDocument.Place) {
    guard document.kind(at: place) == .object else { return nil }
    self.init()
    var reading = RowFields(document, at: place)
    fields(&reading)
    if reading.isDamaged { return nil }
  }

  func write(to output: inout [UInt8]) {
    var writing = RowFields(output)
    output = []
    var copy = self
    copy.fields(&writing)
    output = writing.closed()
  }

  package static var encoding: RowEncoding<Self> {
    RowEncoding(encode: { row, _ in row.json }, decode: { json, _ in Self(json: json) })
  }
}

/// The fields of a stored row, declared once for reading and writing.
///
/// ```text
/// mutating func fields(_ f: inout RowFields) {
///   f.text("pool", &poolID)
///   f.optional("name", &name)
/// }
/// ```
///
/// A missing or mistyped field makes a row unreadable. A field that a later version adds has a default
/// (`f.optional`), or raises the version of the table's encoding.
///
/// Fields are looked for in the order in which they are written, and written without a JSON value in between: hot paths
/// read and write rows.
package struct RowFields {
  /// What is read; nil while a row is written.
  private let document: JSONDocument?
  private let object: JSONDocument.Place
  /// The name after the field that was read last.
  private var next: JSONDocument.Place
  private var output: [UInt8]
  private var isEmpty = true
  /// True where a field was missing or had another type.
  private(set) var isDamaged = false

  init(_ document: JSONDocument, at object: JSONDocument.Place) {
    self.document = document
    self.object = object
    next = object + 1
    output = []
  }

  init(_ output: consuming [UInt8]) {
    document = nil
    (object, next) = (0, 0)
    self.output = output
    self.output.append(UInt8(ascii: "{"))
  }

  consuming func closed() -> [UInt8] {
    output.append(UInt8(ascii: "}"))
    return output
  }

  /// Makes the row unreadable.
  package mutating func damage() { isDamaged = true }

  private mutating func write<Value>(_ name: String, _ value: Value, _ form: FieldForm<Value>) {
    if !isEmpty { output.append(UInt8(ascii: ",")) }
    isEmpty = false
    JSONWriter.append(name, to: &output)
    output.append(UInt8(ascii: ":"))
    form.write(value, &output)
  }

  private mutating func find(_ name: String, in document: JSONDocument) -> JSONDocument.Place? {
    guard let found = document.name(name.utf8.span, of: object, from: next) else { return nil }
    next = document.end(of: found + 1)
    return found + 1
  }

  /// Reads or writes one field.
  package mutating func value<Value>(_ name: String, _ value: inout Value, _ form: FieldForm<Value>) {
    guard let document else { return write(name, value, form) }
    if let place = find(name, in: document), let found = form.read(document, place) {
      value = found
    } else {
      isDamaged = true
    }
  }

  /// Reads or writes a field that is left out for nil.
  package mutating func optional<Value>(
    _ name: String, _ value: inout Value?, _ form: @autoclosure () -> FieldForm<Value>
  ) {
    guard let document else {
      if let value { write(name, value, form()) }
      return
    }
    guard let place = find(name, in: document) else {
      value = nil
      return
    }
    if let found = form().read(document, place) { value = found } else { isDamaged = true }
  }

  /// Reads or writes a field that is left out for one value, such as false.
  private mutating func value<Value>(
    _ name: String, _ value: inout Value, absent: Value, _ isAbsent: Bool,
    _ form: @autoclosure () -> FieldForm<Value>
  ) {
    var present = isAbsent ? nil : value
    optional(name, &present, form())
    value = present ?? absent
  }
}

extension RowFields {
  package mutating func text(_ name: String, _ text: inout String) { value(name, &text, .text) }
  package mutating func number(_ name: String, _ number: inout Int64) { value(name, &number, .number) }
  /// A number of things, or a size: not negative, and far from the largest number, so that sums do not overflow.
  package mutating func size(_ name: String, _ size: inout Int) {
    var whole = Int64(size)
    value(name, &whole, .number)
    if let fitting = Int(exactly: whole), (0...1 << 53).contains(fitting) {
      size = fitting
    } else {
      damage()
    }
  }
  /// A number that is counted on from: the next one exists.
  package mutating func serial(_ name: String, _ number: inout Int64) {
    value(name, &number, .number)
    if number < 0 || number == .max { damage() }
  }
  /// A time in whole seconds.
  package mutating func time(_ name: String, _ time: inout Timestamp) { value(name, &time, .time) }
  /// A time with its nanoseconds.
  package mutating func instant(_ name: String, _ time: inout Timestamp) { value(name, &time, .instant) }
  package mutating func bytes(_ name: String, _ bytes: inout [UInt8]) { value(name, &bytes, .bytes) }
  package mutating func bool(_ name: String, _ bool: inout Bool) { value(name, &bool, .bool) }

  /// A value with a name for each of its cases.
  package mutating func choice<Choice: RawRepresentable<ExactString>>(
    _ name: String, _ choice: inout Choice
  ) {
    value(name, &choice, .choice)
  }

  package mutating func row<Row: StoredFields>(_ name: String, _ row: inout Row) { value(name, &row, .row) }

  package mutating func optional(_ name: String, _ text: inout String?) { optional(name, &text, .text) }
  package mutating func optional(_ name: String, _ number: inout Int64?) { optional(name, &number, .number) }
  package mutating func optional(_ name: String, _ time: inout Timestamp?) { optional(name, &time, .time) }
  package mutating func optional(_ name: String, _ bytes: inout [UInt8]?) { optional(name, &bytes, .bytes) }

  package mutating func optional<Choice: RawRepresentable<ExactString>>(
    _ name: String, _ choice: inout Choice?
  ) {
    optional(name, &choice, .choice)
  }

  package mutating func optional<Row: StoredFields>(_ name: String, _ row: inout Row?) {
    optional(name, &row, .row)
  }

  /// True is written; false is the absence.
  package mutating func flag(_ name: String, _ flag: inout Bool) {
    value(name, &flag, absent: false, !flag, .bool)
  }

  /// A number of which 0 is the absence.
  package mutating func count(_ name: String, _ number: inout Int64) {
    value(name, &number, absent: 0, number == 0, .number)
  }

  /// Values; none is the absence.
  package mutating func list<Element>(
    _ name: String, _ list: inout [Element], _ element: @autoclosure () -> FieldForm<Element>
  ) {
    value(name, &list, absent: [], list.isEmpty, .list(element()))
  }

  package mutating func texts(_ name: String, _ texts: inout [String]) { list(name, &texts, .text) }
  /// Times in whole seconds.
  package mutating func times(_ name: String, _ times: inout [Timestamp]) {
    list(name, &times, .time)
  }

  package mutating func choices<Choice: RawRepresentable<ExactString>>(
    _ name: String, _ choices: inout [Choice]
  ) {
    list(name, &choices, .choice)
  }

  package mutating func rows<Row: StoredFields>(_ name: String, _ rows: inout [Row]) {
    list(name, &rows, .row)
  }

  /// Texts by name; none is the absence.
  package mutating func map(_ name: String, _ texts: inout [ExactString: String]) {
    value(name, &texts, absent: [:], texts.isEmpty, .map(.text, name: { $0 }, key: { $0 }))
  }

  /// Numbers of choices; none is the absence.
  package mutating func counts<Choice: RawRepresentable<ExactString> & Hashable>(
    _ name: String, _ counts: inout [Choice: Int64]
  ) {
    value(
      name, &counts, absent: [:], counts.isEmpty,
      .map(.number, name: \.rawValue, key: Choice.init(rawValue:)))
  }
}
