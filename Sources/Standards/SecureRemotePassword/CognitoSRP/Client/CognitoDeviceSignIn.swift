internal import TokenSecurityBase
public import TokenSecurityCrypto

/// A device that a pool remembers, which replaces the second factor at later sign-ins.
public struct CognitoRememberedDevice: ~Copyable, Sendable {
  /// The device's group key.
  public let groupKey: String
  /// The device's key.
  public let key: String
  /// The password that was generated when the device was confirmed.
  public let password: SecretBytes

  /// Restores a device.
  ///
  /// - Parameters:
  ///   - groupKey: the device's group key.
  ///   - key: the device's key.
  ///   - password: the password from ``CognitoDeviceConfirmation``.
  /// - Throws: `deviceKeyMalformed`, `empty`, `tooLong`.
  public init(groupKey: String, key: String, password: borrowing SecretBytes) throws(SRPError) {
    _ = try CognitoSRPIdentity.device(groupKey: groupKey, deviceKey: key)
    self.groupKey = groupKey
    self.key = key
    self.password = password.clone()
  }
}

/// A remembered device's sign-in, after its user's (`DEVICE_SRP_AUTH`, `DEVICE_PASSWORD_VERIFIER`).
public struct CognitoDeviceSignIn: ~Copyable, Sendable {
  private let device: CognitoRememberedDevice
  private let client: CognitoAppClient
  private let username: String
  private let exchange: CognitoExchange

  /// Draws a random a of 1,024 bits and computes A.
  ///
  /// - Parameters:
  ///   - device: the remembered device.
  ///   - client: the app client.
  ///   - username: the `USERNAME` of the previous challenge.
  /// - Throws: `randomUnavailable`, `libraryFailure`.
  public init(
    device: borrowing CognitoRememberedDevice, client: CognitoAppClient, username: String
  ) throws(SRPError) {
    let device = try CognitoRememberedDevice(
      groupKey: device.groupKey, key: device.key, password: device.password)
    let exchange = try CognitoExchange()
    self.device = device
    self.client = client
    self.username = username
    self.exchange = exchange
  }

  /// Responds to the challenge `DEVICE_SRP_AUTH` with the device's key and A.
  ///
  /// - Parameter challenge: the pool's challenge.
  /// - Returns: the response to send.
  /// - Throws: `challengeUnexpected`, `libraryFailure`.
  public borrowing func begin(
    _ challenge: CognitoChallenge
  ) throws(SRPError) -> CognitoChallengeResponse {
    try challenge.require("DEVICE_SRP_AUTH")
    var responses: CognitoParameters = [
      "USERNAME": username, "DEVICE_KEY": device.key, "SRP_A": exchange.publicKey,
    ]
    responses["SECRET_HASH"] = try client.secretHash(username: username)
    return CognitoChallengeResponse(
      name: challenge.name, clientID: client.id, responses: responses, session: challenge.session)
  }

  /// Responds to the challenge `DEVICE_PASSWORD_VERIFIER`.
  ///
  /// - Parameters:
  ///   - challenge: the pool's challenge.
  ///   - instant: the time of the response.
  /// - Returns: the response to send.
  /// - Throws: the errors of ``CognitoPasswordSignIn/respond(to:password:at:)``.
  public consuming func respond(
    to challenge: CognitoChallenge, at instant: Timestamp = .now
  ) throws(SRPError) -> CognitoChallengeResponse {
    try challenge.require("DEVICE_PASSWORD_VERIFIER")
    let identity = try CognitoSRPIdentity.device(groupKey: device.groupKey, deviceKey: device.key)
    let username = challenge.parameters["USERNAME"] ?? username
    var responses = try exchange.responses(to: challenge, identity, password: device.password, at: instant)
    responses["USERNAME"] = username
    responses["DEVICE_KEY"] = device.key
    responses["SECRET_HASH"] = try client.secretHash(username: username)
    return CognitoChallengeResponse(
      name: challenge.name, clientID: client.id, responses: responses, session: challenge.session)
  }
}

/// Decides when to sign in again without a remembered device that the pool no longer knows. Allows this once.
public struct CognitoDeviceFallback: Sendable, Hashable {
  private var isSpent = false

  /// A fallback that is not used yet.
  public init() {}

  /// Whether to delete the remembered device and sign in again without it.
  ///
  /// - Parameters:
  ///   - exception: the name of Cognito's error, with or without a namespace.
  ///   - message: the error's message.
  /// - Returns: true for an unknown device, the first time.
  public mutating func shouldDropDevice(exception: String, message: String) -> Bool {
    guard !isSpent, exception.lastPart(at: "#") == "ResourceNotFoundException",
      message.lowercasedASCII.hasPrefix("device does not exist")
    else { return false }
    isSpent = true
    return true
  }
}

/// A new device to remember: its password, and the salt and verifier for `ConfirmDevice`.
public struct CognitoDeviceConfirmation: ~Copyable, Sendable {
  /// The device with its password. Store it where only the user can read it.
  public let device: CognitoRememberedDevice
  /// `DeviceSecretVerifierConfig.Salt`.
  public let salt: String
  /// `DeviceSecretVerifierConfig.PasswordVerifier`.
  public let passwordVerifier: String

  /// Generates a password of 40 random bytes in base64, and a salt of 16 bytes.
  ///
  /// - Parameters:
  ///   - groupKey: the device's group key, from Cognito.
  ///   - deviceKey: the device's key, from Cognito.
  /// - Throws: `deviceKeyMalformed`, `empty`, `tooLong`, `randomUnavailable`, `libraryFailure`.
  public init(groupKey: String, deviceKey: String) throws(SRPError) {
    let identity = try CognitoSRPIdentity.device(groupKey: groupKey, deviceKey: deviceKey)
    let random = try SRPError.of { () throws(CryptoError) in try Random.secretBytes(count: 40) }
    let password = SecretBytes(count: Base64.length(of: random.count)) { output in
      random.withBytes { Base64.encode(secret: $0, into: &output) }
    }
    let verifier = try CognitoVerifier(identity: identity, password: password)
    device = try CognitoRememberedDevice(groupKey: groupKey, key: deviceKey, password: password)
    salt = Base64.string(CognitoNumber.signed(verifier.salt))
    passwordVerifier = Base64.string(
      CognitoNumber.signed(verifier.value.withBytes { Declassification.of([UInt8](unwipedCopy: $0)) }))
  }
}
