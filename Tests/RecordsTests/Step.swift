internal import Records
internal import Synchronization
internal import TokenSecurityVectorFiles

/// A random call of a transaction, whose result is compared as text.
enum Step {
  case get(RecordKey)
  case contains(RecordKey)
  case byEmail(RecordKey)
  case scan(RangeStep)
  case scanTags(RangeStep, after: IndexPosition?)
  case count(RangeStep)
  case countTags(RangeStep)
  case put(Person)
  case insert(Person)
  case replace(Person, changesFirst: Bool)
  case delete(RecordKey)
  case deleteRange(RangeStep)
  case removeExpired(limit: Int)

  /// A range of keys with a limit and a direction.
  struct RangeStep {
    var range: KeyRange
    var limit: Int
    var isDescending: Bool

    func contains(_ key: RecordKey) -> Bool {
      !key.encoded.lexicographicallyPrecedes(range.lower)
        && key.encoded.lexicographicallyPrecedes(range.upper)
    }

    func page<T>(_ all: [T], _ key: (T) -> RecordKey) -> [T] {
      let inside = all.filter { contains(key($0)) }
      return Array((isDescending ? inside.reversed() : inside).prefix(limit))
    }
  }

  var isWriting: Bool {
    switch self {
    case .get, .contains, .byEmail, .scan, .scanTags, .count, .countTags: false
    default: true
    }
  }

  // Few values, so that rows, addresses and tags collide. Some are equal under Unicode normalisation.
  private static let pools = ["a", "a\0", "b", "\u{212A}", "K"]
  private static let texts = ["", "x", "x\0", "cafe\u{301}", "caf\u{E9}", "y"]

  private static func text(_ g: inout SeededGenerator) -> String { texts.randomElement(using: &g) ?? "" }
  private static func pool(_ g: inout SeededGenerator) -> String { pools.randomElement(using: &g) ?? "" }
  private static func key(_ g: inout SeededGenerator) -> RecordKey {
    RecordKey(pool(&g), Int.random(in: -3...6, using: &g))
  }

  private static func person(_ g: inout SeededGenerator, _ now: Timestamp) -> Person {
    var person = Person(pool(&g), Int.random(in: -3...6, using: &g))
    if Bool.random(using: &g) { person.email = text(&g) }
    person.tags = (0..<Int.random(in: 0...3, using: &g)).map { _ in text(&g) }
    if Int.random(in: 0..<3, using: &g) == 0 {
      person.expires = Timestamp(seconds: now.seconds + Int64.random(in: -2...20, using: &g))
    }
    person.note = text(&g)
    return person
  }

  private static func range(
    _ g: inout SeededGenerator, _ key: (inout SeededGenerator) -> RecordKey
  ) -> RangeStep {
    var range: KeyRange =
      switch Int.random(in: 0..<4, using: &g) {
      case 0: .all
      case 1: .only(key(&g))
      default: .prefix(RecordKey(pool(&g)))
      }
    if Bool.random(using: &g) { range = range.after(key(&g)) }
    if Int.random(in: 0..<4, using: &g) == 0 { range = range.before(key(&g)) }
    if Int.random(in: 0..<4, using: &g) == 0 { range = range.from(key(&g)) }
    return RangeStep(
      range: range, limit: [0, 1, 2, 5, 100].randomElement(using: &g) ?? 1, isDescending: .random(using: &g))
  }

  init(_ g: inout SeededGenerator, _ now: Timestamp) {
    let tags = { (g: inout SeededGenerator) in RecordKey(Step.text(&g)) }
    switch Int.random(in: 0..<24, using: &g) {
    case 0, 1: self = .get(Self.key(&g))
    case 2: self = .contains(Self.key(&g))
    case 3, 4: self = .byEmail(RecordKey(Self.pool(&g), Self.text(&g)))
    case 5: self = .scan(Self.range(&g, Self.key))
    case 6, 7:
      let position = IndexPosition(value: tags(&g), key: Self.key(&g))
      self = .scanTags(Self.range(&g, tags), after: Bool.random(using: &g) ? position : nil)
    case 8: self = .count(Self.range(&g, Self.key))
    case 9: self = .countTags(Self.range(&g, tags))
    case 10...15: self = .put(Self.person(&g, now))
    case 16, 17: self = .insert(Self.person(&g, now))
    case 18, 19: self = .replace(Self.person(&g, now), changesFirst: .random(using: &g))
    case 20, 21: self = .delete(Self.key(&g))
    case 22:
      self = .deleteRange(
        Int.random(in: 0..<8, using: &g) == 0
          ? Self.range(&g, Self.key) : RangeStep(range: .only(Self.key(&g)), limit: 0, isDescending: false))
    default: self = .removeExpired(limit: Int.random(in: 0...4, using: &g))
    }
  }

  /// The result in the model.
  func run(on model: inout Model, _ now: Timestamp) -> String {
    switch self {
    case .get(let key): return "\(String(describing: model.get(key, now)))"
    case .contains(let key): return "\(model.get(key, now) != nil)"
    case .byEmail(let value): return "\(String(describing: model.byEmail(value, now)))"
    case .scan(let step): return "\(step.page(model.sorted(now)) { $0.key })"
    case .scanTags(let step, let after):
      let all = model.tagged(now).filter { entry in
        guard let after else { return true }
        let isLater =
          entry.position.value == after.value
          ? after.key < entry.position.key : after.value < entry.position.value
        return entry.position != after && isLater != step.isDescending
      }
      return "\(step.page(all) { $0.position.value }.map(\.person))"
    case .count(let step): return "\(step.page(model.sorted(now)) { $0.key }.count)"
    case .countTags(let step): return "\(step.page(model.tagged(now)) { $0.position.value }.count)"
    case .put(let person): return model.put(person, now) ? "put" : "taken"
    case .insert(let person):
      guard model.get(person.key, now) == nil else { return "false" }
      return model.put(person, now) ? "true" : "taken"
    case .replace(let person, let changesFirst):
      guard var old = model.get(person.key, now) else { return "none" }
      if changesFirst {
        old.note += "!"
        return model.put(old, now) ? "changed" : "taken"
      }
      return model.put(person, now) ? "replaced" : "taken"
    case .delete(let key): return "\(model.delete(key, now))"
    case .deleteRange(let step): return "\(model.delete { step.contains($0) })"
    case .removeExpired(let limit): return "\(model.removeExpired(now, limit: limit))"
    }
  }

  /// The result of a read in a store.
  func read<F>(_ rows: ReadTransaction<F>) throws(F) -> String {
    switch self {
    case .get(let key): return "\(String(describing: try rows.get(Person.table, key)))"
    case .contains(let key): return "\(try rows.contains(Person.table, key))"
    case .byEmail(let value):
      return "\(String(describing: try rows.get(Person.table, by: Person.byEmail, value)))"
    case .scan(let step):
      return
        "\(try rows.scan(Person.table, step.range, limit: step.limit, isDescending: step.isDescending))"
    case .scanTags(let step, let after):
      let found = try rows.scan(
        Person.table, by: Person.byTag, step.range, after: after, limit: step.limit,
        isDescending: step.isDescending)
      return "\(found)"
    case .count(let step): return "\(try rows.count(Person.table, step.range, limit: step.limit))"
    case .countTags(let step):
      return "\(try rows.count(Person.table, by: Person.byTag, step.range, limit: step.limit))"
    default: return "not a read"
    }
  }

  /// The result in a store.
  func write(_ rows: WriteTransaction<RuleError>) throws(RuleError) -> String {
    do throws(RuleError) {
      switch self {
      case .put(let person):
        try rows.put(person, in: Person.table)
        return "put"
      case .insert(let person): return "\(try rows.insert(person, in: Person.table))"
      case .replace(let person, let changesFirst):
        guard let old = try rows.stamped(Person.table, person.key) else { return "none" }
        if changesFirst {
          var changed = old.row
          changed.note += "!"
          try rows.put(changed, in: Person.table)
          return "\(try rows.replace(person, in: Person.table, ifStill: old.stamp))"
        }
        return "\(try rows.replace(person, in: Person.table, ifStill: old.stamp))"
      case .delete(let key): return "\(try rows.delete(key, from: Person.table))"
      case .deleteRange(let step): return "\(try rows.delete(step.range, from: Person.table))"
      case .removeExpired(let limit): return "\(try rows.removeExpired(from: Person.table, limit: limit))"
      default: return try read(rows)
      }
    } catch {
      guard case .store(.uniqueViolated) = error else { throw error }
      return "taken"
    }
  }
}

/// The results of a transaction's last run.
final class Results: Sendable {
  private let texts = Mutex<[String]>([])
  func clear() { texts.withLock { $0 = [] } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
  var all: [String] { texts.withLock { $0 } }
}
