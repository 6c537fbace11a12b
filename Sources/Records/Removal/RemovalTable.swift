internal import TokenSecurityEncodings

/// The table with the one row of what the removal has seen, which each store has whose rows expire.
package enum RemovalTable {
  package static let key = RecordKey("removal")

  package static let rows = Table<EndSightings>("removal_sightings", key: { _ in key }, encoding: encoding)

  /// A store's tables, with this one where rows expire.
  package static func added(to tables: [any DeclaredTable]) -> [any DeclaredTable] {
    tables.contains { $0.layout.hasExpirations } ? tables + [rows] : tables
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
