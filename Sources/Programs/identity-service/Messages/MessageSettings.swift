internal import CognitoUserPool
internal import HTTPExchange
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The message sender and the functions of hooks, made from the settings.
struct MessageSettings: Sendable {
  /// Sends messages; without a setting it refuses each.
  let sender: any MessageSender
  /// The functions of pools; nil for none.
  let functions: WebhookFunctions?
  private let file: MessageFile?

  /// Opens what the settings name.
  ///
  /// - Parameters:
  ///   - configuration: the settings.
  ///   - transport: sends requests to webhooks.
  /// - Throws: `OperatingError` that names the setting and the rule.
  init(_ configuration: ServiceConfiguration, transport: any HTTPTransport) throws {
    try configuration.checkMessages()
    var file: MessageFile?
    if let path = configuration.messageFile {
      let opened = try MessageFile(path)
      file = opened
      sender = opened
    } else if let url = configuration.messageWebhook, let path = configuration.messageSecret {
      let secret = try Self.secret(path)
      sender = MessageWebhook(webhook: try SignedWebhook(url, secret: secret, transport: transport))
    } else if let path = configuration.mailProgram, let from = configuration.mailFrom {
      sender = try MailProgram(path, from: from)
    } else {
      sender = NoMessages()
    }
    self.file = file
    functions = try configuration.webhooks.map { try WebhookFunctions($0, transport: transport) }
  }

  /// Opens the file of messages again and reads the functions again, on SIGHUP. An error changes nothing.
  ///
  /// - Returns: the number of functions; nil without functions.
  /// - Throws: `OperatingError`.
  func reload() throws -> Int? {
    let next = try functions?.readAgain()
    try file?.reopen()
    next?.apply()
    return next?.count
  }

  /// The bytes of a file of mode 600, without white space at the end.
  private static func secret(_ path: String) throws -> SecretBytes {
    var bytes = Array(try SecretFile.text(path, setting: "--message-secret").utf8)
    while let last = bytes.last, last == 0x0A || last == 0x0D || last == 0x20 { bytes.removeLast() }
    return SecretBytes(wiping: &bytes)
  }
}

/// The sender of a service without one.
private struct NoMessages: MessageSender {
  func send(_ message: OutgoingMessage) async throws(MessageError) {
    throw .refused("no sender is configured: --message-file, --message-webhook or --mail-program")
  }
}

extension ServiceConfiguration {
  /// True where a setting says how messages are sent.
  var hasSender: Bool { self.messageFile != nil || self.messageWebhook != nil || self.mailProgram != nil }

  /// Checks what messages and hooks need, without making files.
  ///
  /// - Parameter transport: the HTTP client that a start would have.
  /// - Throws: `OperatingError` that names the setting and the rule.
  func checkMessageFiles(_ transport: any HTTPTransport) throws {
    try checkSecretsOfMessages(transport)
    if let path = self.messageFile { try MessageFile.check(path) }
  }

  /// Checks what messages and hooks need, apart from the file of messages, which may be in a folder that the first
  /// start makes.
  ///
  /// - Parameter transport: the HTTP client that a start would have.
  /// - Throws: `OperatingError` that names the setting and the rule.
  func checkSecretsOfMessages(_ transport: any HTTPTransport) throws {
    try checkMessages()
    var configuration = self
    configuration.messageFile = nil
    _ = try MessageSettings(configuration, transport: transport)
  }
}
