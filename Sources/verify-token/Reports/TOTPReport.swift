internal import TokenSecurityEncodings
internal import JOSE
internal import OneTimeCodes

/// A verdict on a code, for people and for programs. No code and no secret is ever in it.
struct TOTPReport {
  let totp: TOTP
  let bits: Int
  let now: NumericDate
  let present: UInt64
  let secondsLeft: Int64
  let window: Int

  func write(_ verdict: Result<TOTP.Match, OTPError>, explained: Bool, _ output: OutputFormat) {
    switch output {
    case .text: StandardOutput.write(text(verdict, explained: explained))
    case .json: StandardOutput.write(JSONWriter.write(json(verdict)) + [0x0A])
    }
  }

  private func text(_ verdict: Result<TOTP.Match, OTPError>, explained: Bool) -> String {
    let style = TextStyle.forTerminal
    var text = ""
    if explained {
      func line(_ name: String, _ value: String) {
        text += "  " + name + String(repeating: " ", count: 10 - name.count) + value + "\n"
      }
      let begin = totp.epoch.seconds + Int64(present) * totp.period.wholeSeconds
      text += "checked at \(now)\n\n"
      line("secret", "\(bits) bits")
      line(
        "codes",
        "\(totp.hotp.algorithm.name), \(totp.hotp.digits) digits, each for \(TimeSpan(totp.period))"
      )
      line(
        "step", "\(present), from \(NumericDate(seconds: begin)) on, \(TimeSpan(seconds: secondsLeft)) left")
      let first = present < UInt64(window) ? 0 : present - UInt64(window)
      line("window", "\(window) before and after: \(first) to \(present + UInt64(window))")
      if case .success(let match) = verdict { line("matched", "\(match.step), \(Self.distance(match))") }
      text += "\n"
    }
    switch verdict {
    case .success(let match):
      return text + style.good("VALID") + "  step \(match.step), \(Self.distance(match)); "
        + "\(TimeSpan(seconds: secondsLeft)) left of the present one\n"
    case .failure(let error): return text + style.bad("REFUSED") + "  \(error) [\(error.codeText)]\n"
    }
  }

  /// Where the step lies beside the present one.
  private static func distance(_ match: TOTP.Match) -> String {
    let steps = match.drift.magnitude
    guard steps > 0 else { return "the present one" }
    return "\(steps) \(steps == 1 ? "step" : "steps") \(match.drift > 0 ? "ahead" : "behind")"
  }

  private func json(_ verdict: Result<TOTP.Match, OTPError>) -> JSONObject {
    var match: TOTP.Match?
    var fault: OTPError?
    switch verdict {
    case .success(let value): match = value
    case .failure(let error): fault = error
    }
    return [
      "valid": .bool(fault == nil), "code": fault.map { .string($0.codeText) } ?? .null,
      "message": fault.map { .string("\($0)") } ?? .null, "checked_at": .string("\(now)"),
      "step": match.map { .number(JSONNumber(Int64($0.step))) } ?? .null,
      "drift": match.map { .number(JSONNumber(Int64($0.drift))) } ?? .null,
      "present": .number(JSONNumber(Int64(present))), "seconds_left": .number(JSONNumber(secondsLeft)),
    ]
  }
}
