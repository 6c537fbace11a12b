internal import Records
internal import SecureRemotePassword
internal import TokenLifetime
internal import TokenSecurityBase

/// Bounds of wrong codes that replace a password, for a user or an unknown name within a day.
///
/// One address has few: that delays a stranger, and nobody else. All addresses together have some more, so that many
/// addresses do not get around this. Addresses from which the user has signed in by such a code are not among these: others
/// cannot use up the user's own.
package enum CodeGuesses {
  /// Maximum number of wrong codes from one address.
  package static let sourceLimit: Int64 = 20
  /// Maximum number of wrong codes from all addresses that are not known.
  package static let limit: Int64 = 60
  /// The time in which wrong codes are counted, from the first one on.
  package static let window = Duration.seconds(86_400)
  /// How long an address is known after the last right code from it.
  package static let knownTime = Duration.seconds(30 * 86_400)
  /// Maximum number of known addresses; the last ones stay.
  package static let knownLimit = 8
}

extension ReadTransaction<UserPoolError> {
  /// Refuses a code after too many wrong ones. Such codes are not counted.
  ///
  /// - Parameters:
  ///   - code: the code's names.
  ///   - asksForCode: true where a code is to be sent, for which nobody waits. Default: false.
  /// - Throws: `attemptLimitExceeded` or `passwordAttemptsExceeded`, by ``CodeWay/refusal``; during a wait
  ///   `passwordAttemptsExceeded`.
  package func checkGuesses(_ code: GuessedCode, asksForCode: Bool = false) throws(UserPoolError) {
    let row = try guesses(code)
    let source = row.sources.first { $0.id == code.source } ?? GuessSource()
    let isOpen =
      source.count < CodeGuesses.sourceLimit && (source.known != nil || row.count < CodeGuesses.limit)
    guard isOpen else { throw code.way.refusal }
    guard code.way.hasWaits, !asksForCode else { return }
    let lockout = CognitoLockout(failures: Int(clamping: source.count), lastFailure: source.last)
    do throws(SRPError) { try lockout.check(at: now) } catch { throw .passwordAttemptsExceeded }
  }

  /// The row as it counts now.
  fileprivate func guesses(_ code: GuessedCode) throws(UserPoolError) -> AttemptRow {
    if var row = try get(UserPoolTables.attempts, code.recordKey), row.owner == code.owner {
      row.beginDay(at: now)
      return row
    }
    var row = AttemptRow()
    row.poolID = code.poolID
    row.kind = code.way.name
    row.key = code.key
    row.owner = code.owner
    row.first = now.wholeSecond
    return row
  }
}

extension WriteTransaction<UserPoolError> {
  /// Counts a code as a wrong one. The transaction must end without an error, so that it is counted.
  ///
  /// - Returns: what this code closes; nil for most.
  @discardableResult
  package func countGuess(_ code: GuessedCode) throws(UserPoolError) -> ClosedCodes? {
    var row = try guesses(code)
    var bounds: Set<ClosedCodes.Bound> = []
    row.change(code.source) { source, others in
      source.count = source.count.saturatingSum(1)
      source.last = CognitoLockout.time(ofFailureAt: now.wholeSecond, after: source.last)
      if source.count == CodeGuesses.sourceLimit { bounds.insert(.address) }
      guard source.known == nil else { return }
      others = others.saturatingSum(1)
      if others == CodeGuesses.limit { bounds.insert(.all) }
    }
    row.last = now.wholeSecond
    row.end = row.guessesEnd
    try put(row, in: UserPoolTables.attempts)
    return bounds.isEmpty ? nil : ClosedCodes(code.way.step, bounds)
  }

  /// Notes a right code: the wrong ones from its address are forgotten, and the address is known from now on. Those
  /// from other addresses stay.
  package func forgetGuesses(_ code: GuessedCode) throws(UserPoolError) {
    var row = try guesses(code)
    row.change(code.source) { source, others in
      if source.known == nil { others = max(0, others.saturatingDifference(source.count)) }
      source.count = 0
      source.known = now.wholeSecond
    }
    row.keepLastKnown()
    row.end = row.guessesEnd
    try put(row, in: UserPoolTables.attempts)
  }
}

extension AttemptRow {
  /// Forgets the wrong codes of a day that is over, and addresses that are not known any more.
  fileprivate mutating func beginDay(at now: Timestamp) {
    // A clock that was set back since makes a day no longer: otherwise it would end when that clock says.
    if now - first >= CodeGuesses.window || first - now > .clockDifference {
      first = now.wholeSecond
      count = 0
      for index in sources.indices { sources[index].count = 0 }
    }
    for index in sources.indices {
      guard let known = sources[index].known, known + CodeGuesses.knownTime <= now else { continue }
      sources[index].known = nil
      count = count.saturatingSum(sources[index].count)
    }
    sources.removeAll { $0.count == 0 && $0.known == nil }
  }

  fileprivate mutating func change(_ id: [UInt8], _ change: (inout GuessSource, inout Int64) -> Void) {
    if let index = sources.firstIndex(where: { $0.id == id }) {
      change(&sources[index], &count)
      return
    }
    var source = GuessSource()
    source.id = id
    change(&source, &count)
    sources.append(source)
  }

  fileprivate mutating func keepLastKnown() {
    let known = sources.compactMap(\.known).sorted(by: >)
    guard known.count > CodeGuesses.knownLimit else { return }
    let oldest = known[CodeGuesses.knownLimit - 1]
    var rest = CodeGuesses.knownLimit
    // The last ones of one second first.
    for index in sources.indices.reversed() where sources[index].known != nil {
      if let time = sources[index].known, time >= oldest, rest > 0 {
        rest -= 1
      } else {
        count = count.saturatingSum(sources[index].count)
        sources[index].known = nil
      }
    }
    sources.removeAll { $0.count == 0 && $0.known == nil }
  }

  fileprivate var guessesEnd: Timestamp {
    let day = first + CodeGuesses.window + .clockDifference
    return sources.compactMap(\.known).reduce(day) { max($0, $1 + CodeGuesses.knownTime) }
  }
}
