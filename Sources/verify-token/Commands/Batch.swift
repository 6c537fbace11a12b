internal import Dispatch
internal import TokenSecurityEncodings
internal import JOSE
internal import Synchronization

/// Many tokens: one a line in, one JSON object a line out, in the same order, on all cores.
///
/// Lines are judged in chunks; only so many chunks are under way at a time, so that memory stays the same
/// however long the input is.
struct Batch {
  let verifier: TokenVerifier
  /// The instant to judge at; nil for the present, read anew for each chunk.
  let at: NumericDate?
  let explain: Bool

  private static let linesInChunk = 256
  private static let chunksUnderWay = 16

  func run() throws {
    let limit = verifier.policy.signature.limits.token
    var reader = LineReader(limit: limit + 64)
    var tally = Tally()
    var underWay: [Chunk] = []
    var line = 1
    let queue = DispatchQueue(label: "verify-token.batch", attributes: .concurrent)
    while true {
      let lines = try reader.next(Self.linesInChunk)
      if lines.isEmpty || underWay.count >= Self.chunksUnderWay, !underWay.isEmpty {
        tally.add(underWay.removeFirst().finish())
      }
      if lines.isEmpty {
        if underWay.isEmpty { break }
        continue
      }
      let chunk = Chunk(lines: lines, firstLine: line)
      line += lines.count
      underWay.append(chunk)
      queue.async { chunk.judge(by: self) }
    }
    tally.summarise()
    if tally.refused > 0 { throw ExitStatus.refused }
  }

  /// One line's verdict as JSON, with a line break.
  fileprivate func verdict(_ line: LineReader.Line, _ number: Int, _ now: NumericDate) -> Verdict {
    let explanation: Explanation
    switch line {
    case .tooLong(let size):
      let limit = verifier.policy.signature.limits.token
      explanation = Explanation(refusedUnread: .tokenTooLarge(size: size, limit: limit), at: now)
    case .text(let token) where explain: explanation = verifier.explain(token, at: now)
    case .text(let token): explanation = Explanation(briefly: token, verifier, at: now)
    }
    var object = JSONObject()
    object["line"] = .number(JSONNumber(number))
    JSONReport.add(explanation, to: &object)
    if explain { object["checks"] = JSONReport.checks(explanation) }
    return Verdict(json: JSONWriter.write(object) + [0x0A], isValid: explanation.isValid)
  }
}

private struct Verdict {
  let json: [UInt8]
  let isValid: Bool
}

/// Some lines on their way through a core.
private final class Chunk: Sendable {
  private let lines: [LineReader.Line]
  private let firstLine: Int
  private let done = DispatchSemaphore(value: 0)
  private let result = Mutex(Result())

  struct Result: Sendable {
    var output: [UInt8] = []
    var valid = 0
    var refused = 0
  }

  init(lines: [LineReader.Line], firstLine: Int) {
    self.lines = lines
    self.firstLine = firstLine
  }

  func judge(by batch: Batch) {
    var result = Result()
    let now = batch.at ?? .now
    for (offset, line) in lines.enumerated() {
      let verdict = batch.verdict(line, firstLine + offset, now)
      result.output += verdict.json
      if verdict.isValid { result.valid += 1 } else { result.refused += 1 }
    }
    let finished = result
    self.result.withLock { $0 = finished }
    done.signal()
  }

  /// Waits until the lines have been judged.
  func finish() -> Result {
    done.wait()
    return result.withLock { $0 }
  }
}

/// What has come out so far.
private struct Tally {
  private(set) var valid = 0
  private(set) var refused = 0
  private let started = ContinuousClock.now
  private var lastShown = ContinuousClock.now
  private let showsProgress = StandardError.isTerminal

  mutating func add(_ result: Chunk.Result) {
    StandardOutput.write(result.output)
    valid += result.valid
    refused += result.refused
    let now = ContinuousClock.now
    if showsProgress, now - lastShown > .milliseconds(200) {
      lastShown = now
      StandardError.write("\r\u{1B}[K\(sentence)")
    }
  }

  func summarise() {
    StandardError.write((showsProgress ? "\r\u{1B}[K" : "") + sentence + "\n")
  }

  private var sentence: String {
    let seconds = Double((ContinuousClock.now - started) / .milliseconds(1)) / 1_000
    let rate = seconds > 0 ? Int(Double(valid + refused) / seconds) : 0
    return "\(valid + refused) tokens: \(valid) valid, \(refused) refused; \(rate) a second"
  }
}
