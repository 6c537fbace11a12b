internal import JOSE
internal import OneTimeCodes
internal import TokenSecurityBase

/// The result of a code check. It contains neither the code nor the secret.
struct TOTPReport {
  let totp: TOTP
  /// The size of the secret.
  let bits: Int
  let now: NumericDate
  let currentStep: UInt64
  let secondsLeft: Int64
  let window: Int
  let result: Result<TOTP.Match, OTPError>

  func text(_ report: TextReport, withChecks: Bool) -> String {
    var text = ""
    if withChecks {
      func line(_ name: String, _ value: String) { text += "  " + name.padded(to: 10) + value + "\n" }
      let start = totp.epoch.seconds + Int64(currentStep) * totp.period.wholeSeconds
      let first = currentStep < UInt64(window) ? 0 : currentStep - UInt64(window)
      text += "checked at \(now)\n\n"
      line("secret", "\(bits) bits")
      line(
        "codes",
        "\(totp.hotp.algorithm.name), \(totp.hotp.digits) \(totp.hotp.form == .steam ? "characters of Steam's form" : "digits"), period \(TimeSpan(totp.period))"
      )
      line(
        "step", "\(currentStep), since \(NumericDate(seconds: start)), \(TimeSpan(seconds: secondsLeft)) left"
      )
      line("window", "\(window) before and after: \(first) to \(currentStep + UInt64(window))")
      if case .success(let match) = result { line("matched", "\(match.step) (\(Self.drift(match)))") }
      text += "\n"
    }
    switch result {
    case .success(let match):
      return text + report.style.good("VALID") + "  step \(match.step) (\(Self.drift(match))), "
        + "next step in \(TimeSpan(seconds: secondsLeft))\n"
    case .failure(let error): return text + report.refusal(error)
    }
  }

  /// The difference to the current step.
  private static func drift(_ match: TOTP.Match) -> String {
    let steps = match.drift.magnitude
    guard steps > 0 else { return "current" }
    return "\(steps) \(steps == 1 ? "step" : "steps") \(match.drift > 0 ? "ahead" : "behind")"
  }

  var json: JSONObject {
    let match = try? result.get()
    var error: OTPError?
    if case .failure(let failure) = result { error = failure }
    var object = JSONReport.result(error)
    object["checked_at"] = .string("\(now)")
    object["step"] = JSONValue(match?.step)
    object["drift"] = JSONValue(match?.drift)
    object["present"] = JSONValue(currentStep)
    object["seconds_left"] = JSONValue(secondsLeft)
    return object
  }
}
