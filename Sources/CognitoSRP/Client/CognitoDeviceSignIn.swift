public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// A device that a pool remembers: what stands for the second factor when it comes back.
public struct CognitoRememberedDevice: ~Copyable, Sendable {
  /// The device's group key.
  public let groupKey: String
  /// The device's key.
  public let key: String
  /// The password that was made when the device was confirmed.
  public let password: SecretBytes

  /// Throws `deviceKeyMalformed`, `empty`, `tooLong`.
  public init(groupKey: String, key: String, password: borrowing SecretBytes) throws(SRPError) {
    _ = try CognitoSRPIdentity.device(groupKey: groupKey, deviceKey: key)
    self.groupKey = groupKey
    self.key = key
    self.password = password.clone()
  }
}

/// A remembered device's sign-in, which follows its user's (`DEVICE_SRP_AUTH`, `DEVICE_PASSWORD_VERIFIER`).
public struct CognitoDeviceSignIn: ~Copyable, Sendable {
  private let device: CognitoRememberedDevice
  private let client: CognitoAppClient
  private let username: String
  private let exchange: CognitoExchange

  /// Draws a, of 1,024 bits, and computes A. `username`: the `USERNAME` of the challenge before.
  ///
  /// Throws `randomUnavailable`, `libraryFailure`.
  public init(
    device: borrowing CognitoRememberedDevice, client: CognitoAppClient, username: String
  ) throws(SRPError) {
    try self.init(device: device, client: client, username: username, exchange: CognitoExchange())
  }

  /// The same with a given, for published values.
  package init(
    device: borrowing CognitoRememberedDevice, client: CognitoAppClient, username: String,
    privateKey: borrowing SecretBytes
  ) throws(SRPError) {
    let number = try SRPError.of { () throws(CryptoError) in try Number(privateKey) }
    try self.init(
      device: device, client: client, username: username, exchange: CognitoExchange(privateKey: number))
  }

  private init(
    device: borrowing CognitoRememberedDevice, client: CognitoAppClient, username: String,
    exchange: consuming CognitoExchange
  ) throws(SRPError) {
    let device = try CognitoRememberedDevice(
      groupKey: device.groupKey, key: device.key, password: device.password)
    self.device = device
    self.client = client
    self.username = username
    self.exchange = exchange
  }

  /// Answers the challenge `DEVICE_SRP_AUTH` with the device's key and A.
  ///
  /// Throws `challengeUnexpected`, `libraryFailure`.
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

  /// Answers the challenge `DEVICE_PASSWORD_VERIFIER`.
  ///
  /// Throws what ``CognitoPasswordSignIn/respond(to:password:at:)`` does.
  public consuming func respond(
    to challenge: CognitoChallenge, at instant: Timestamp = .now
  ) throws(SRPError) -> CognitoChallengeResponse {
    try challenge.require("DEVICE_PASSWORD_VERIFIER")
    let identity = try CognitoSRPIdentity.device(groupKey: device.groupKey, deviceKey: device.key)
    let username = challenge.parameters["USERNAME"] ?? username
    var responses = try exchange.answer(challenge, identity, password: device.password, at: instant)
    responses["USERNAME"] = username
    responses["DEVICE_KEY"] = device.key
    responses["SECRET_HASH"] = try client.secretHash(username: username)
    return CognitoChallengeResponse(
      name: challenge.name, clientID: client.id, responses: responses, session: challenge.session)
  }
}

/// What to do when a pool no longer knows a remembered device: drop it, and sign in once more without it, once.
public struct CognitoDeviceFallback: Sendable, Hashable {
  private var isSpent = false

  public init() {}

  /// True where what is remembered of the device is to be dropped and the sign-in to begin again without it.
  ///
  /// `exception`: the error's name as Cognito sends it, with or without a namespace in front of it.
  public mutating func shouldDropDevice(exception: String, message: String) -> Bool {
    let name = exception.utf8.split(separator: UInt8(ascii: "#")).last
    guard !isSpent, name?.elementsEqual("ResourceNotFoundException".utf8) == true,
      message.utf8.prefix(21).map(\.foldedASCII).elementsEqual("device does not exist".utf8)
    else { return false }
    isSpent = true
    return true
  }
}

/// What makes a device one that is remembered: a password that it keeps, and salt and verifier for `ConfirmDevice`.
public struct CognitoDeviceConfirmation: ~Copyable, Sendable {
  /// The device, its password in it; to be stored where only its owner can read it.
  public let device: CognitoRememberedDevice
  /// `DeviceSecretVerifierConfig.Salt`.
  public let salt: String
  /// `DeviceSecretVerifierConfig.PasswordVerifier`.
  public let passwordVerifier: String

  /// Makes a password of 40 random bytes, in base64, and a salt of 16.
  ///
  /// Throws `deviceKeyMalformed`, `empty`, `tooLong`, `randomUnavailable`, `libraryFailure`.
  public init(groupKey: String, deviceKey: String) throws(SRPError) {
    let identity = try CognitoSRPIdentity.device(groupKey: groupKey, deviceKey: deviceKey)
    let random = try SRPError.of { () throws(CryptoError) in
      try Random.secretBytes(count: 40)
    }
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
