internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// A guess is counted or not answered: no answer that depends on one leaves before a commit.
@Suite struct GuessTests {
  static let all = Guess.ofPasswords + Guess.ofCodes

  /// All that a caller sees of an outcome, and its code.
  private struct Answer: Equatable, CustomStringConvertible {
    var code: UserPoolError.Code?
    var status = 200
    var type = ""
    var message = ""

    var description: String { "\(status) \(type): \(message) (\(code?.rawValue ?? "ok"))" }
  }

  private static func answer(_ attempt: Guess.Attempt, _ kind: Guess.Kind) async throws -> Answer {
    do {
      try await attempt(kind)
      return Answer()
    } catch let error as UserPoolError {
      return Answer(
        code: error.code, status: error.status, type: error.type, message: error.publicMessage)
    }
  }

  /// Ways in which writes fail while reads work, and the code of every answer then.
  private static let failures: [(FailingEngine.Failure, UserPoolError.Code)] = [
    (.atCommit(.unavailable("SQLite 13: database or disk is full")), .storeFailed),
    (.atCommit(.outcomeUnknown("SQLite 10: disk I/O error")), .outcomeUnknown),
    (.atCommit(.tooManyRetries(attempts: 10)), .storeBusy),
    (.atOnce(.busy("too many writes wait")), .storeBusy),
    (.atOnce(.unavailable("this node has not reached the list of nodes")), .storeFailed),
  ]

  @Test(arguments: all) func anUncountedGuessIsNotAnswered(_ guess: Guess) async throws {
    let (engine, store) = try FailingEngine.make()
    let attempt = try await guess.prepare(store)
    let kinds: [Guess.Kind] = guess.hidesNames ? [.right, .wrong, .unknownName] : [.right, .wrong]
    let before = engine.commits
    for (failure, code) in Self.failures {
      engine.fail(failure)
      var answers: [Answer] = []
      // The right one again: a guess that failed leaves no trace by which it is told apart.
      for kind in kinds + [.right] { answers.append(try await Self.answer(attempt, kind)) }
      #expect(answers.allSatisfy { $0.code == code && $0 == answers[0] }, "\(failure): \(answers)")
    }
    #expect(engine.commits == before)
    engine.fail(nil)
    guard let accepted = guess.accepted else { return }
    #expect(try await Self.answer(attempt, accepted) == Answer())
  }

  @Test(arguments: all) func commits(_ guess: Guess) async throws {
    let cases: [(Guess.Kind, Int)] =
      [(.right, guess.commits.right), (.wrong, guess.commits.wrong)]
      + (guess.hidesNames ? [(.unknownName, guess.commits.wrong)] : [])
    for (kind, count) in cases {
      let (engine, store) = try FailingEngine.make()
      let attempt = try await guess.prepare(store)
      let before = engine.commits
      let answer = try await Self.answer(attempt, kind)
      #expect(engine.commits - before == count, "\(kind): \(answer)")
      #expect((answer == Answer()) == (kind == guess.accepted), "\(kind): \(answer)")
    }
  }

  /// Guesses of earlier passwords end the session, however often the store is asked.
  @Test func earlierPasswordsAreCounted() async throws {
    let guess = try #require(Guess.ofPasswords.first { $0.step == "NEW_PASSWORD_REQUIRED" })
    let (_, store) = try FailingEngine.make()
    let attempt = try await guess.prepare(store)
    for _ in 0..<5 { #expect(try await Self.answer(attempt, .right).code == .passwordUsedBefore) }
    #expect(try await Self.answer(attempt, .right).code == .sessionInvalid)
    #expect(try await Self.answer(attempt, .wrong).code == .sessionInvalid)
  }
}
