internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

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
struct RowFields {
  private(set) var object: JSONObject
  private let isReading: Bool
  /// True where a field was missing or had another type.
  private(set) var isDamaged = false

  init(reading object: JSONObject) {
    self.object = object
    isReading = true
  }

  init() {
    object = JSONObject()
    isReading = false
  }

  /// Reads or writes one field.
  mutating func value<Value>(
    _ name: String, _ value: inout Value, _ write: (Value) -> JSONValue?, _ read: (JSONValue?) -> Value?
  ) {
    guard isReading else {
      if let written = write(value) { object[name] = written }
      return
    }
    if let found = read(object[name]) { value = found } else { isDamaged = true }
  }

  /// Reads or writes a field that is left out for nil.
  mutating func optionalValue<Value>(
    _ name: String, _ value: inout Value?, _ write: (Value) -> JSONValue, _ read: (JSONValue) -> Value?
  ) {
    guard isReading else {
      if let value { object[name] = write(value) }
      return
    }
    guard let found = object[name] else {
      value = nil
      return
    }
    if let read = read(found) { value = read } else { isDamaged = true }
  }

  mutating func damage() { isDamaged = true }
}

extension RowFields {
  mutating func text(_ name: String, _ text: inout String) {
    value(name, &text, { .string($0) }, { $0?.string })
  }

  mutating func optional(_ name: String, _ text: inout String?) {
    optionalValue(name, &text, { .string($0) }, { $0.string })
  }

  /// True is written; false is the absence.
  mutating func flag(_ name: String, _ flag: inout Bool) {
    value(name, &flag, { $0 ? .bool(true) : nil }, { $0 == nil ? false : $0?.bool })
  }

  mutating func number(_ name: String, _ number: inout Int64) {
    value(name, &number, { .number(JSONNumber($0)) }, { $0?.int64 })
  }

  mutating func optional(_ name: String, _ number: inout Int64?) {
    optionalValue(name, &number, { .number(JSONNumber($0)) }, { $0.int64 })
  }

  /// A number of which 0 is the absence.
  mutating func count(_ name: String, _ number: inout Int64) {
    value(
      name, &number, { $0 == 0 ? nil : .number(JSONNumber($0)) }, { $0 == nil ? 0 : $0?.int64 })
  }

  /// A time in whole seconds.
  mutating func time(_ name: String, _ time: inout Timestamp) {
    value(name, &time, { .number(JSONNumber($0.seconds)) }, { $0?.int64.map { Timestamp(seconds: $0) } })
  }

  mutating func optional(_ name: String, _ time: inout Timestamp?) {
    optionalValue(
      name, &time, { .number(JSONNumber($0.seconds)) }, { $0.int64.map { Timestamp(seconds: $0) } })
  }

  /// Times in whole seconds; none is the absence.
  mutating func times(_ name: String, _ times: inout [Timestamp]) {
    value(
      name, &times, { $0.isEmpty ? nil : .array($0.map { .number(JSONNumber($0.seconds)) }) },
      { value in
        guard let value else { return [] }
        guard let elements = value.array else { return nil }
        let times = elements.compactMap { $0.int64.map { Timestamp(seconds: $0) } }
        return times.count == elements.count ? times : nil
      })
  }

  mutating func bytes(_ name: String, _ bytes: inout [UInt8]) {
    value(
      name, &bytes, { .string(Base64URL.string($0)) },
      { $0?.string.flatMap { try? Base64URL.decode($0) } })
  }

  mutating func optional(_ name: String, _ bytes: inout [UInt8]?) {
    optionalValue(
      name, &bytes, { .string(Base64URL.string($0)) }, { $0.string.flatMap { try? Base64URL.decode($0) } })
  }

  /// Texts; none is the absence.
  mutating func texts(_ name: String, _ texts: inout [String]) {
    value(
      name, &texts, { $0.isEmpty ? nil : .array($0.map(JSONValue.string)) },
      { $0 == nil ? [] : $0?.strings })
  }

  /// Texts by name; none is the absence.
  mutating func map(_ name: String, _ texts: inout [ExactString: String]) {
    value(
      name, &texts,
      { texts in
        guard !texts.isEmpty else { return nil }
        var object = JSONObject()
        for key in texts.keys.sorted() { object[key.text] = texts[key].map(JSONValue.string) }
        return .object(object)
      },
      { value in
        guard let value else { return [:] }
        guard let members = value.object?.members else { return nil }
        var texts: [ExactString: String] = [:]
        for member in members {
          guard let text = member.value.string else { return nil }
          texts[ExactString(member.name)] = text
        }
        return texts
      })
  }

  /// A value with a name for each of its cases.
  mutating func choice<Choice: RawRepresentable<ExactString>>(_ name: String, _ choice: inout Choice) {
    value(
      name, &choice, { .string($0.name) },
      { $0?.string.flatMap { Choice(name: $0) } })
  }

  mutating func optional<Choice: RawRepresentable<ExactString>>(_ name: String, _ choice: inout Choice?) {
    optionalValue(
      name, &choice, { .string($0.name) },
      { $0.string.flatMap { Choice(name: $0) } })
  }

  mutating func choices<Choice: RawRepresentable<ExactString>>(_ name: String, _ choices: inout [Choice]) {
    value(
      name, &choices, { $0.isEmpty ? nil : .array($0.map { .string($0.name) }) },
      { value in
        guard let value else { return [] }
        guard let texts = value.strings else { return nil }
        let choices = texts.compactMap { Choice(name: $0) }
        return choices.count == texts.count ? choices : nil
      })
  }

  /// Numbers of choices; none is the absence.
  mutating func counts<Choice: RawRepresentable<ExactString> & Hashable>(
    _ name: String, _ counts: inout [Choice: Int64]
  ) {
    value(
      name, &counts,
      { counts in
        guard !counts.isEmpty else { return nil }
        var object = JSONObject()
        for (choice, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          object[choice.name] = .number(JSONNumber(count))
        }
        return .object(object)
      },
      { value in
        guard let value else { return [:] }
        guard let members = value.object?.members else { return nil }
        var counts: [Choice: Int64] = [:]
        for member in members {
          guard let choice = Choice(name: member.name), let count = member.value.int64 else { return nil }
          counts[choice] = count
        }
        return counts
      })
  }

  mutating func row<Row: StoredFields>(_ name: String, _ row: inout Row) {
    value(name, &row, { .object($0.object) }, { $0?.object.flatMap { Row(stored: $0) } })
  }

  mutating func optional<Row: StoredFields>(_ name: String, _ row: inout Row?) {
    optionalValue(name, &row, { .object($0.object) }, { $0.object.flatMap { Row(stored: $0) } })
  }

  mutating func rows<Row: StoredFields>(_ name: String, _ rows: inout [Row]) {
    value(
      name, &rows, { $0.isEmpty ? nil : .array($0.map { .object($0.object) }) },
      { value in
        guard let value else { return [] }
        guard let values = value.array else { return nil }
        let rows = values.compactMap { $0.object.flatMap { Row(stored: $0) } }
        return rows.count == values.count ? rows : nil
      })
  }
}

/// A stored value whose fields are declared.
protocol StoredFields: Sendable {
  init()
  mutating func fields(_ f: inout RowFields)
}

extension StoredFields {
  /// The value as JSON.
  var object: JSONObject {
    var fields = RowFields()
    var copy = self
    copy.fields(&fields)
    return fields.object
  }

  /// Reads a value; nil for a damaged one.
  init?(stored object: JSONObject) {
    self.init()
    var reading = RowFields(reading: object)
    fields(&reading)
    if reading.isDamaged { return nil }
  }

  static var encoding: RowEncoding<Self> {
    .json(write: { row, _ in row.object }, read: { object, _ in Self(stored: object) })
  }
}
