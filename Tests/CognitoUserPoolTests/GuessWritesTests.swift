internal import CognitoUserPool
internal import Testing

/// A store with room for one of two answers alone does not tell them apart: what counts a refused guess is written for
/// an accepted one, too, or before either is compared.
@Suite struct GuessWritesTests {
  /// Rows of two pools differ by some bytes: salts have no leading zeros.
  private static let tolerance = 16

  /// The rows of each transaction of a guess, in a pool of its own.
  private static func written(by guess: Guess, _ kind: Guess.Kind) async throws -> [[WrittenRow]] {
    let recorded = try await StoreKind.memory.recorded()
    let attempt = try await guess.prepare(recorded.store)
    return try await recorded.statements.written {
      do { try await attempt(kind) } catch is UserPoolError {}
    }
  }

  /// Whether each row has one of its own among others: in its table, and as large, or else a larger one elsewhere.
  private static func covers(_ rows: [WrittenRow], _ covered: [WrittenRow]) -> Bool {
    var left = rows.sorted { $0.size < $1.size }
    var elsewhere: [WrittenRow] = []
    for row in covered.sorted(by: { $0.size > $1.size }) {
      let index = left.firstIndex { $0.table == row.table && $0.size + tolerance >= row.size }
      if let index { left.remove(at: index) } else { elsewhere.append(row) }
    }
    for row in elsewhere {
      guard let index = left.firstIndex(where: { $0.size >= row.size }) else { return false }
      left.remove(at: index)
    }
    return true
  }

  @Test(arguments: GuessTests.all) func whatCountsARefusedGuess(_ guess: Guess) async throws {
    let accepted = guess.accepted ?? .right
    let stored = try await Self.written(by: guess, accepted)
    let counted = try await Self.written(by: guess, accepted == .right ? .wrong : .right)
    // The first transaction counts.
    let (first, count) = (try #require(stored.first), try #require(counted.first))
    #expect(Self.covers(first, count), "\(first) in place of \(count)")
  }

  @Test func rowsThatCover() {
    let (a, b) = (WrittenRow(table: "a", size: 200), WrittenRow(table: "b", size: 300))
    #expect(Self.covers([a, b], [a]) && Self.covers([b], [a]) && Self.covers([a], []))
    #expect(!Self.covers([a], [b]) && !Self.covers([a, b], [a, a, a]) && !Self.covers([], [a]))
  }
}
