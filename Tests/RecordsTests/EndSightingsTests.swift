internal import Records
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// The removal's memory of clocks, against a mark on each row.
@Suite struct EndSightingsTests {
  private static let rule = RemovalRule()
  private static let second: Int64 = 1_000_000
  private static let day: Int64 = 86_400 * second

  /// A row, and the uptime of the pass from which on each one found it ended.
  private struct Row {
    let end: Int64
    var marked: Int64?
  }

  /// A row that may be removed was found ended by all passes of at least 24 hours, whatever the clocks of passes and
  /// writes were meanwhile. With a right clock it is removed two hours later at most.
  @Test(arguments: 1...8) func aListIsWorthAMarkOnEachRow(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (sightings, rows): (EndSightings, [Row]) = (EndSightings(), [])
    var (time, uptime) = (Int64(1_800_000_000) * Self.second, Int64(0))
    // How far the clock is off, and for how many passes more.
    var (offset, passes) = (Int64(0), 0)
    var longest = 0
    var removed = 0
    for _ in 0..<TestScale.count(20_000) {
      let pause = Int64.random(in: 1...900, using: &random)
      (time, uptime) = (time + pause * Self.second, uptime + pause)
      if passes == 0 {
        let isWrong = Int.random(in: 0..<400, using: &random) == 0
        let distance = Int64.random(
          in: 1...(Self.second << Int64.random(in: 0...26, using: &random)), using: &random)
        offset = isWrong ? (Bool.random(using: &random) ? distance : -distance) : 0
        passes = isWrong ? Int.random(in: 1...(Bool.random(using: &random) ? 3 : 200), using: &random) : 1
      }
      passes -= 1
      let clock = time + offset
      var earliest = clock
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        // Between two passes the clock may have been another one.
        let wrong =
          Int.random(in: 0..<50, using: &random) == 0
          ? Int64.random(in: 0...(30 * Self.day), using: &random) : 0
        let written = clock - wrong
        earliest = min(earliest, written)
        rows.append(Row(end: written + Int64.random(in: 1...(3 * Self.day), using: &random)))
      }
      for place in rows.indices {
        rows[place].marked = rows[place].end <= clock ? rows[place].marked ?? uptime : nil
      }
      sightings.add(earliest, at: uptime, Self.rule)
      longest = max(longest, sightings.seen.count)
      for memory in [Self.rule.crowdedMemory, Self.rule.memory] {
        guard let end = sightings.removable(after: memory) else { continue }
        let wrong = rows.first { row in
          row.end <= end && !(row.marked.map { uptime - $0 >= memory.wholeSeconds } ?? false)
        }
        #expect(wrong == nil, "seed \(seed), uptime \(uptime), \(memory)")
      }
      guard let end = sightings.removable(after: Self.rule.memory) else { continue }
      let before = rows.count
      rows.removeAll { $0.end <= end }
      removed += before - rows.count
    }
    #expect(removed > 0)
    // One for each ten minutes of a day, and the one that is a day old.
    #expect(longest <= 146)
    for _ in 0..<(28 * 12) {
      (time, uptime) = (time + 300 * Self.second, uptime + 300)
      sightings.add(time, at: uptime, Self.rule)
    }
    #expect((sightings.removable(after: Self.rule.memory) ?? .min) >= time - 26 * 3_600 * Self.second)
    #expect((sightings.removable(after: Self.rule.crowdedMemory) ?? .min) >= time - 3_000 * Self.second)
  }

  /// Sums do not overflow, and a time before all others is no sighting.
  @Test(arguments: [Int64.min, .min + 1, 0, .max]) func extremesOfTheClock(_ clock: Int64) {
    var sightings = EndSightings()
    for uptime in [0, 86_400, 200_000] as [Int64] { sightings.add(clock, at: uptime, Self.rule) }
    #expect(sightings.seen.allSatisfy { $0.time <= clock })
    #expect((sightings.removable(after: Self.rule.memory) == nil) == (clock < .min + 120_000_000))
    sightings.add(1_000, at: 200_000, Self.rule)
    #expect(sightings.seen.allSatisfy { $0.time <= 1_000 })
  }

  /// A stored row is read again, unless it has sightings that no pass can have seen.
  @Test(arguments: [
    (#"{"uptime":7200,"seen":[[1,0],[5,3600]]}"#, true), (#"{"uptime":0,"seen":[]}"#, true),
    (#"{"uptime":-1,"seen":[]}"#, false), (#"{"uptime":10,"seen":[[1,11]]}"#, false),
    (#"{"uptime":10,"seen":[[1,-1]]}"#, false), (#"{"uptime":10,"seen":[[5,1],[5,2]]}"#, false),
    (#"{"uptime":10,"seen":[[1,5],[2,4]]}"#, false), (#"{"uptime":10,"seen":[[1,5,2]]}"#, false),
    (#"{"uptime":10}"#, false), (#"{"seen":[]}"#, false), ("{}", false),
  ]) func onlyPossibleSightingsAreRead(_ json: String, _ isRead: Bool) throws {
    let row = RemovalTable.encoding.decode(Array(json.utf8), 1)
    #expect((row != nil) == isRead)
    if let row {
      let bytes = try #require(RemovalTable.encoding.encode(row, 1))
      #expect(RemovalTable.encoding.decode(bytes, 1) == row)
    }
  }
}
