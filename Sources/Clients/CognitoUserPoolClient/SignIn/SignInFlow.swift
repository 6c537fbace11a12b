internal import ServiceOperations
public import TokenSecurityBase

/// How a sign-in begins. The app client must allow the flow.
@nonexhaustive public enum SignInFlow: Sendable {
  /// With a password, which is proved by SRP and never sent (`USER_SRP_AUTH`).
  case passwordSRP
  /// With a password, which is sent (`USER_PASSWORD_AUTH`). The pool needs it to bring users from another
  /// directory.
  case password
  /// With a first factor of the user's choice (`USER_AUTH`). A preferred one is used without a question if the
  /// user has it. If that is ``FirstFactor/passwordSRP``, the password is never sent, whatever the service asks for.
  case choice(preferred: FirstFactor? = nil)
  /// With challenges of the pool's triggers (`CUSTOM_AUTH`), after a password by SRP or without one.
  case custom(withPassword: Bool = false)
  /// With the session of a sign-up that was just confirmed, without a password (`USER_AUTH`).
  case confirmedSignUp(SignUpSession)

  /// False for flows in which the password is proved or not used. A service, or an impostor of it, must not get
  /// it by asking for another challenge.
  var sendsPassword: Bool {
    switch self {
    case .passwordSRP, .custom, .choice(preferred: .passwordSRP): false
    case .password, .choice, .confirmedSignUp: true
    }
  }
}

/// Options of a sign-in besides the user's name.
public struct SignInOptions: Sendable {
  /// How the sign-in begins. Default: with a password by SRP.
  public var flow: SignInFlow
  /// Data for the pool's trigger before a sign-in. Default: none.
  public var validationData: [ExactString: String]
  /// Texts for the pool's other triggers, sent with each answer. Default: none.
  public var clientMetadata: [ExactString: String]
  /// The name under which a new device is listed, such as the computer's. Default: none.
  public var deviceName: String?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - flow: how the sign-in begins.
  ///   - validationData: data for the pool's trigger before a sign-in.
  ///   - clientMetadata: texts for the pool's other triggers.
  ///   - deviceName: the name under which a new device is listed.
  public init(
    flow: SignInFlow = .passwordSRP, validationData: [ExactString: String] = [:],
    clientMetadata: [ExactString: String] = [:], deviceName: String? = nil
  ) {
    self.flow = flow
    self.validationData = validationData
    self.clientMetadata = clientMetadata
    self.deviceName = deviceName
  }
}
