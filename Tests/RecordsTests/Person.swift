internal import Records

/// The row of the tests: a key of two elements, a unique index, an index with several values, an expiration.
struct Person: Sendable, Hashable {
  var pool: String
  var id: Int
  var email: String?
  var tags: [String] = []
  var note = ""
  var expires: Timestamp?

  init(_ pool: String, _ id: Int, email: String? = nil, tags: [String] = [], note: String = "") {
    self.pool = pool
    self.id = id
    self.email = email
    self.tags = tags
    self.note = note
  }

  var key: RecordKey { RecordKey(pool, id) }

  static let byEmail = Index<Person>("email", isUnique: true) { person in
    person.email.map { [RecordKey(person.pool, $0)] } ?? []
  }
  static let byTag = Index<Person>("tag") { $0.tags.map { RecordKey($0) } }

  static let table = Table<Person>(
    "person", key: { $0.key }, indexes: [byEmail, byTag], encoding: encoding(version: 2),
    expires: { $0.expires })

  /// The same rows under names that strangers invent.
  static let invented = Table<Person>(
    "invented", key: { $0.key }, encoding: encoding(version: 2), expires: { $0.expires },
    isFilledByStrangers: true)

  /// Version 1 had no notes.
  static func encoding(version: Int) -> RowEncoding<Person> {
    .json(
      version: version, oldest: 1,
      write: { person, version in
        if version < 2, !person.note.isEmpty { return nil }
        var object: JSONObject = [
          "pool": .string(person.pool), "id": .number(.init(Int64(person.id))),
          "tags": .array(person.tags.map { .string($0) }),
        ]
        object["email"] = person.email.map { .string($0) }
        object["expires"] = person.expires.map { .number(.init($0.seconds)) }
        if version >= 2 { object["note"] = .string(person.note) }
        return object
      },
      read: { object, version in
        guard let pool = object["pool"]?.string, let id = object["id"]?.int64,
          let tags = object["tags"]?.strings
        else { return nil }
        var person = Person(pool, Int(id), email: object["email"]?.string, tags: tags)
        if version >= 2 {
          guard let note = object["note"]?.string else { return nil }
          person.note = note
        }
        person.expires = object["expires"]?.int64.map { Timestamp(seconds: $0) }
        return person
      })
  }

  /// The table as a program of another version declares it.
  static func table(version: Int, indexes: [Index<Person>] = [byEmail, byTag]) -> Table<Person> {
    Table<Person>(
      "person", key: { $0.key }, indexes: indexes, encoding: encoding(version: version),
      expires: { $0.expires })
  }
}

/// A second table, with a counter.
struct Counter: Sendable, Hashable {
  var name: String
  var value: Int

  static let table = Table<Counter>(
    "counter", key: { RecordKey($0.name) },
    encoding: RowEncoding(
      encode: { counter, _ in RecordKey(counter.name, counter.value).encoded },
      decode: { bytes, _ in
        guard let parts = RecordKey(encoded: bytes)?.parts, parts.count == 2,
          case .text(let name) = parts[0], case .integer(let value) = parts[1]
        else { return nil }
        return Counter(name: name, value: Int(value))
      }))
}

/// The errors of the tests' rules.
enum RuleError: RecordStoreFailure, Hashable {
  case refused
  case store(RecordStoreError)

  init(_ error: RecordStoreError) { self = .store(error) }
}
