internal import TokenLifetime
package import TokenSecurityBase

/// How the value of a field is written as JSON, and read.
package struct FieldForm<Value> {
  let write: (Value, inout [UInt8]) -> Void
  /// Nil for another type, or a value that is out of range.
  let read: (JSONDocument, JSONDocument.Place) -> Value?
}

extension FieldForm where Value == String {
  package static var text: Self {
    Self(write: { JSONWriter.append($0, to: &$1) }, read: { $0.string(at: $1) })
  }
}

extension FieldForm where Value == Int64 {
  package static var number: Self {
    Self(write: { $1.append(contentsOf: String($0).utf8) }, read: { $0.number(at: $1)?.int64 })
  }
}

extension FieldForm where Value == Bool {
  package static var bool: Self {
    Self(
      write: { $1.append(contentsOf: ($0 ? "true" : "false").utf8) },
      read: { document, place in
        switch document.kind(at: place) {
        case .true: true
        case .false: false
        default: nil
        }
      })
  }
}

extension FieldForm where Value == Timestamp {
  /// Seconds since 1970. Those outside the years 1 to 9999 are no time, and were not written.
  package static var time: Self {
    Self(
      write: { FieldForm<Int64>.number.write($0.seconds, &$1) },
      read: { FieldForm<Int64>.number.read($0, $1).flatMap { Timestamp(seconds: $0, nanoseconds: 0) } })
  }

  /// Seconds since 1970 and nanoseconds.
  package static var instant: Self {
    Self(
      write: { FieldForm<[Int64]>.list(.number).write([$0.seconds, Int64($0.nanoseconds)], &$1) },
      read: { document, place in
        guard let parts = FieldForm<[Int64]>.list(.number).read(document, place), parts.count == 2 else {
          return nil
        }
        return Timestamp(seconds: parts[0], nanoseconds: parts[1])
      })
  }
}

extension FieldForm where Value == [UInt8] {
  /// Base64url.
  package static var bytes: Self {
    Self(
      write: { JSONWriter.append(Base64URL.string($0), to: &$1) },
      read: { $0.string(at: $1).flatMap { try? Base64URL.decode($0) } })
  }
}

extension FieldForm where Value: RawRepresentable<ExactString> {
  /// The name of a case.
  package static var choice: Self {
    Self(
      write: { JSONWriter.append($0.name, to: &$1) },
      read: { $0.string(at: $1).flatMap { Value(name: $0) } })
  }
}

extension FieldForm where Value: StoredFields {
  package static var row: Self { Self(write: { $0.write(to: &$1) }, read: { Value($0, at: $1) }) }
}

extension FieldForm {
  package static func list<Element>(_ element: FieldForm<Element>) -> Self where Value == [Element] {
    Self(
      write: { list, output in
        output.append(UInt8(ascii: "["))
        for (index, value) in list.enumerated() {
          if index > 0 { output.append(UInt8(ascii: ",")) }
          element.write(value, &output)
        }
        output.append(UInt8(ascii: "]"))
      },
      read: { document, place in
        guard document.kind(at: place) == .array else { return nil }
        var list: [Element] = []
        for place in document.elements(of: place) {
          guard let value = element.read(document, place) else { return nil }
          list.append(value)
        }
        return list
      })
  }

  /// An object with a member for each key, sorted by their names.
  package static func map<Key, Element>(
    _ element: FieldForm<Element>, name: @escaping (Key) -> ExactString,
    key: @escaping (ExactString) -> Key?
  ) -> Self where Value == [Key: Element] {
    Self(
      write: { map, output in
        let members = map.map { (name: name($0), value: $1) }.sorted { $0.name < $1.name }
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
          if index > 0 { output.append(UInt8(ascii: ",")) }
          JSONWriter.append(member.name.text, to: &output)
          output.append(UInt8(ascii: ":"))
          element.write(member.value, &output)
        }
        output.append(UInt8(ascii: "}"))
      },
      read: { document, place in
        guard document.kind(at: place) == .object else { return nil }
        var map: Value? = [:]
        document.forEachMember(of: place) { name, place in
          guard let key = document.string(at: name).flatMap({ key(ExactString($0)) }),
            let value = element.read(document, place)
          else {
            map = nil
            return
          }
          map?[key] = value
        }
        return map
      })
  }

  /// A value, or null.
  package static func nullable<Wrapped>(_ form: FieldForm<Wrapped>) -> Self where Value == Wrapped? {
    Self(
      write: { value, output in
        if let value { form.write(value, &output) } else { output.append(contentsOf: "null".utf8) }
      },
      read: { document, place in
        document.kind(at: place) == .null ? .some(nil) : form.read(document, place).map { .some($0) }
      })
  }
}
