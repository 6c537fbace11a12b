internal import TokenSecurityBase

/// The tables of the removal, which each store has whose rows expire: one with the row of what it has seen, and one of the
/// rows that it has taken out of indexes.
package enum RemovalTable {
  package static let key = RecordKey("removal")

  package static let rows = Table<EndSightings>("removal_sightings", key: { _ in key }, encoding: encoding)

  /// The rows of other tables that have ended and are in no index, with their ends; and for each table how far its ended
  /// rows were looked at. They have a key and an end, or a position, and are written and read by the engine alone.
  package static let unlisted = Table<RecordKey>(
    "removal_unlisted", key: { $0 }, encoding: RowEncoding(encode: { _, _ in nil }, decode: { _, _ in nil }))

  /// A store's tables, with these where rows expire.
  package static func added(to tables: [any DeclaredTable]) -> [any DeclaredTable] {
    tables.contains { $0.layout.hasExpirations } ? tables + [rows, unlisted] : tables
  }

  package static let encoding = RowEncoding<EndSightings>.json(
    write: { sightings, _ in
      [
        "uptime": .number(JSONNumber(sightings.uptime)),
        "seen": .array(
          sightings.seen.map { .array([.number(JSONNumber($0.time)), .number(JSONNumber($0.uptime))]) }),
      ]
    },
    read: { object, _ in
      guard let uptime = object["uptime"]?.int64, uptime >= 0, let list = object["seen"]?.array else {
        return nil
      }
      var seen: [EndSightings.Sighting] = []
      for entry in list {
        guard let pair = entry.array, pair.count == 2, let time = pair[0].int64, let at = pair[1].int64,
          (0...uptime).contains(at), seen.last.map({ $0.time < time && $0.uptime <= at }) ?? true
        else { return nil }
        seen.append(EndSightings.Sighting(time: time, uptime: at))
      }
      return EndSightings(uptime: uptime, seen: seen)
    })
}
