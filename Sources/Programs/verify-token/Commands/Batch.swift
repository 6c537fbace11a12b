internal import Dispatch
internal import JOSE
internal import Synchronization
internal import TokenSecurityBase

/// Verifies one token per line on all cores and writes one JSON object per line, in the same order.
///
/// Lines are verified in chunks. The number of pending chunks is bounded, so that memory does not grow with
/// the input. While the input pauses, results are written as soon as they are known.
struct Batch {
  let verifiers: IssuerVerifiers
  /// The time to verify at; nil for the current time, which is read again for each chunk.
  let at: NumericDate?
  let explain: Bool

  private static let linesInChunk = 256
  private static let pendingChunks = 16

  func run() throws {
    let limit = verifiers.policy.signature.limits.token
    var reader = LineReader(limit: limit + 64)
    var tally = Tally()
    var pending: [Chunk] = []
    var line = 1
    let queue = DispatchQueue(label: "verify-token.batch", attributes: .concurrent)
    let wakeUp = try WakeUp()
    while true {
      let lines = try reader.next(Self.linesInChunk)
      if !lines.isEmpty {
        if pending.count >= Self.pendingChunks { tally.add(try pending.removeFirst().finish()) }
        let chunk = Chunk(lines: lines, firstLine: line)
        line += lines.count
        pending.append(chunk)
        queue.async {
          chunk.verify(by: self)
          wakeUp.signal()
        }
      } else if reader.isAtEnd {
        if pending.isEmpty { break }
        tally.add(try pending.removeFirst().finish())
      } else {
        reader.waitForInput(or: wakeUp.descriptor)
        wakeUp.clear()
        while pending.first?.isFinished == true { tally.add(try pending.removeFirst().finish()) }
      }
    }
    tally.writeSummary()
    if tally.count(.undecided) > 0 { throw ExitStatus.usage }
    if tally.count(.refused) > 0 { throw ExitStatus.refused }
  }

  /// The result for one line.
  fileprivate func verdict(_ line: LineReader.Line, _ number: Int, _ now: NumericDate) -> Verdict {
    var object: JSONObject = ["line": JSONValue(number)]
    let outcome: LineOutcome
    do throws(UsageError) {
      let explanation = try explanation(of: line, now)
      for member in JSONReport.summary(explanation).members { object[member.name] = member.value }
      if explain { object["checks"] = JSONReport.checks(explanation) }
      outcome = explanation.error == nil ? .valid : .refused
    } catch {
      let report = JSONReport.undecided(code: error.code, message: error.message)
      for member in report.members { object[member.name] = member.value }
      if explain { object["checks"] = [] }
      outcome = .undecided
    }
    return Verdict(json: JSONWriter.write(object) + [0x0A], outcome: outcome)
  }

  private func explanation(
    of line: LineReader.Line, _ now: NumericDate
  ) throws(UsageError) -> Explanation {
    switch line {
    case .tooLong(let size):
      let limit = verifiers.policy.signature.limits.token
      return Explanation(unread: .tokenTooLarge(size: size, limit: limit), at: now)
    case .text(let token):
      let verifier = try verifiers.verifier(of: token)
      return explain ? verifier.explain(token, at: now) : Explanation(withoutChecks: token, verifier, at: now)
    }
  }
}

private enum LineOutcome: Sendable {
  case valid
  case refused
  /// The keys could not be fetched.
  case undecided
}

private struct Verdict {
  /// With a line break.
  let json: [UInt8]
  let outcome: LineOutcome
}

/// Some lines that are verified together.
private final class Chunk: Sendable {
  private let lines: [LineReader.Line]
  private let firstLine: Int
  private let done = DispatchSemaphore(value: 0)
  private let result = Mutex<Result?>(nil)

  struct Result: Sendable {
    var output: [UInt8] = []
    var counts: [LineOutcome: Int] = [:]
  }

  init(lines: [LineReader.Line], firstLine: Int) {
    self.lines = lines
    self.firstLine = firstLine
  }

  func verify(by batch: Batch) {
    var result = Result()
    let now = batch.at ?? .now
    for (offset, line) in lines.enumerated() {
      let verdict = batch.verdict(line, firstLine + offset, now)
      result.output += verdict.json
      result.counts[verdict.outcome, default: 0] += 1
    }
    let finished = result
    self.result.withLock { $0 = finished }
    done.signal()
  }

  /// True if ``finish()`` does not wait.
  var isFinished: Bool { result.withLock { $0 != nil } }

  /// Waits until the lines are verified.
  ///
  /// - Throws: `UsageError` if there is no result.
  func finish() throws -> Result {
    done.wait()
    guard let result = result.withLock({ $0 }) else {
      throw UsageError("the result of a line is missing", code: UsageError.programFailed)
    }
    return result
  }
}

/// The results so far.
private struct Tally {
  private var counts: [LineOutcome: Int] = [:]
  private let started = ContinuousClock.now
  private var lastShown = ContinuousClock.now
  private let showsProgress = StandardError.isTerminal

  mutating func add(_ result: Chunk.Result) {
    StandardOutput.write(result.output)
    counts.merge(result.counts) { $0 + $1 }
    let now = ContinuousClock.now
    if showsProgress, now - lastShown > .milliseconds(200) {
      lastShown = now
      StandardError.write("\r\u{1B}[K\(sentence)")
    }
  }

  func count(_ outcome: LineOutcome) -> Int { counts[outcome, default: 0] }

  func writeSummary() {
    StandardError.write((showsProgress ? "\r\u{1B}[K" : "") + sentence + "\n")
  }

  private var sentence: String {
    let seconds = Double((ContinuousClock.now - started) / .milliseconds(1)) / 1_000
    let all = counts.values.reduce(0, +)
    let rate = seconds > 0 ? Int(Double(all) / seconds) : 0
    let undecided = count(.undecided)
    return "\(all) tokens: \(count(.valid)) valid, \(count(.refused)) refused"
      + (undecided > 0 ? ", \(undecided) not verified" : "") + "; \(rate) per second"
  }
}
