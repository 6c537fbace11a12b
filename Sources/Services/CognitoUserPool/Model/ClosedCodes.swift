/// Codes instead of a password that wrong ones have closed for a day.
public struct ClosedCodes: Sendable, Hashable {
  /// The step that takes the codes.
  public enum Step: Sendable, Hashable {
    case smsOTP, emailOTP, confirmForgotPassword

    /// The name of the challenge or of the operation.
    public var name: String {
      switch self {
      case .smsOTP: "SMS_OTP"
      case .emailOTP: "EMAIL_OTP"
      case .confirmForgotPassword: "ConfirmForgotPassword"
      }
    }
  }

  /// For whom they are closed.
  public enum Bound: Sendable, Hashable {
    /// For the address of the call.
    case address
    /// For all addresses that are not known.
    case all

    /// The bound in logs and metrics.
    public var name: String { self == .address ? "address" : "all" }
  }

  /// The step that takes the codes.
  public let step: Step
  /// For whom they are closed. One code may reach both bounds.
  public let bounds: Set<Bound>

  package init(_ step: Step, _ bounds: Set<Bound>) {
    self.step = step
    self.bounds = bounds
  }
}
