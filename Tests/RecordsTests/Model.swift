internal import Records

/// Expected behaviour of a store of persons, with a dictionary and sorted arrays. Expired rows are there
/// until they are removed or replaced.
struct Model {
  var rows: [RecordKey: Person] = [:]
  /// The earliest time of a write since the last pass of the removal.
  private var earliest: Timestamp?
  /// The time until which this write removes rows.
  private var removable: Timestamp?

  /// A write begins.
  mutating func begin(_ now: Timestamp) {
    earliest = earliest ?? now
    removable = nil
  }

  /// A write is committed, and with it its look at the clock.
  mutating func commit() {
    if removable != nil { earliest = nil }
  }

  /// Takes over what remains of a write that was refused: its clock.
  mutating func keepClock(of refused: Model) { earliest = refused.earliest }

  func isLive(_ person: Person, _ now: Timestamp) -> Bool { person.expires.map { $0 > now } ?? true }

  func get(_ key: RecordKey, _ now: Timestamp) -> Person? { rows[key].flatMap { isLive($0, now) ? $0 : nil } }

  func sorted(_ now: Timestamp) -> [Person] {
    rows.values.filter { isLive($0, now) }.sorted { $0.key < $1.key }
  }

  func byEmail(_ value: RecordKey, _ now: Timestamp) -> Person? {
    sorted(now).first { person in person.email.map { RecordKey(person.pool, $0) == value } ?? false }
  }

  /// The entries of the index of tags.
  func tagged(_ now: Timestamp) -> [(position: IndexPosition, person: Person)] {
    var entries: [(position: IndexPosition, person: Person)] = []
    for person in rows.values where isLive(person, now) {
      for tag in Set(person.tags.map { RecordKey($0) }) {
        entries.append((IndexPosition(value: tag, key: person.key), person))
      }
    }
    return entries.sorted {
      $0.position.value == $1.position.value
        ? $0.position.key < $1.position.key : $0.position.value < $1.position.value
    }
  }

  /// Returns false for another row with the same email address.
  mutating func put(_ person: Person, _ now: Timestamp) -> Bool {
    if let email = person.email {
      let value = RecordKey(person.pool, email)
      let others = rows.values.filter { other in
        other.key != person.key && other.email.map { RecordKey(other.pool, $0) == value } ?? false
      }
      for other in others {
        if isLive(other, now) { return false }
        rows[other.key] = nil
      }
    }
    rows[person.key] = person
    return true
  }

  mutating func delete(_ key: RecordKey, _ now: Timestamp) -> Bool {
    guard let old = rows.removeValue(forKey: key) else { return false }
    return isLive(old, now)
  }

  mutating func delete(where isInRange: (RecordKey) -> Bool) -> Int {
    let keys = rows.keys.filter(isInRange)
    for key in keys { rows[key] = nil }
    return keys.count
  }

  mutating func removeExpired(_ now: Timestamp, limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    let end = removable ?? (earliest ?? now) - .seconds(120)
    removable = end
    let expired = rows.values.filter { !isLive($0, end) }
      .sorted { ($0.expires ?? now, $0.key) < ($1.expires ?? now, $1.key) }.prefix(limit)
    for person in expired { rows[person.key] = nil }
    return expired.count
  }
}
