internal import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A user's session as it is stored. The writer of the store chooses it, so its tokens are verified before they are
/// used.
struct SessionRecord: Sendable {
  let username: String
  /// `sub`.
  let subject: String
  /// The name that the user typed.
  let typed: String?
  /// The device that the refresh token is bound to.
  let deviceKey: String?
  var tokens: IssuedTokens

  init(username: String, subject: String, typed: String?, deviceKey: String?, tokens: IssuedTokens) {
    self.username = username
    self.subject = subject
    self.typed = typed
    self.deviceKey = deviceKey
    self.tokens = tokens
  }

  /// Reads a stored session; nil for another text.
  init?(_ stored: SecretText) {
    guard var fields = StoredFields(stored) else { return nil }
    defer { fields.wipe() }
    guard let username = fields.text("username"), let subject = fields.text("sub"),
      let idToken = fields.text("idToken"), let accessToken = fields.text("accessToken")
    else { return nil }
    self.username = username
    self.subject = subject
    typed = fields.text("typed")
    deviceKey = fields.text("deviceKey")
    tokens = IssuedTokens(
      idToken: idToken, accessToken: accessToken, refreshToken: fields.secret("refreshToken"))
  }

  /// The text to store.
  var stored: SecretText {
    StoredFields.write(
      [
        ("username", username), ("sub", subject), ("typed", typed), ("deviceKey", deviceKey),
        ("idToken", tokens.idToken),
        ("accessToken", tokens.accessToken),
      ], secret: ("refreshToken", tokens.refreshToken))
  }
}

/// The names of users, as they are stored.
struct SessionNames: Sendable {
  /// The user who is signed in; nil for none.
  var current: String?
  /// The name that was last used to sign in, also after the user signed out.
  var last: String?
  /// The user's name in the tokens, where an alias was typed.
  var lastUser: String?

  init() {}

  /// True if the last user has this name or typed it.
  func isLast(_ name: String) -> Bool { last == name || lastUser == name }

  /// Reads stored names; nil for another text.
  init?(_ stored: SecretText) {
    guard let fields = StoredFields(stored) else { return nil }
    current = fields.text("current")
    last = fields.text("last")
    lastUser = fields.text("lastUser")
  }

  /// The text to store.
  var stored: SecretText {
    StoredFields.write([("current", current), ("last", last), ("lastUser", lastUser)])
  }
}

extension StoredDevice {
  /// Reads a stored device; nil for another text.
  init?(_ stored: SecretText) {
    guard var fields = StoredFields(stored) else { return nil }
    defer { fields.wipe() }
    guard let groupKey = fields.text("groupKey"), let key = fields.text("key"),
      let password = fields.secret("password")
    else { return nil }
    self.init(groupKey: groupKey, key: key, password: password)
  }

  /// The text to store.
  var stored: SecretText {
    StoredFields.write([("groupKey", groupKey), ("key", key)], secret: ("password", password))
  }
}

/// The user whose device an alias shares, as it is stored instead of a device.
struct DeviceAlias: Sendable {
  let username: String

  init(username: String) { self.username = username }

  /// Reads a stored alias; nil for another text.
  init?(_ stored: SecretText) {
    guard var fields = StoredFields(stored) else { return nil }
    // It can be a device, with its password.
    defer { fields.wipe() }
    guard let username = fields.text("username") else { return nil }
    self.username = username
  }

  /// The text to store.
  var stored: SecretText { StoredFields.write([("username", username)]) }
}

/// The fields of a stored value: a JSON object of texts.
private struct StoredFields {
  private var document: JSONDocument

  init?(_ stored: SecretText) {
    var bytes = stored.withBytes { [UInt8](unwipedCopy: $0) }
    guard let document = JSONDocument.taking(&bytes), document.kind(at: 0) == .object else { return nil }
    self.document = document
  }

  /// Wipes the text after it has been read.
  mutating func wipe() { document.wipe() }

  func text(_ name: String) -> String? { document.member(name).flatMap { document.string(at: $0) } }

  func secret(_ name: String) -> SecretText? {
    document.member(name).flatMap { SecretText.string(document, at: $0) }
  }

  /// Writes the fields that are present.
  static func write(
    _ fields: [(name: String, text: String?)], secret: (name: String, text: SecretText?)? = nil
  ) -> SecretText {
    // An escaped byte has six; a field has four quotation marks, a colon and a comma.
    func space(_ name: String, _ count: Int) -> Int { 6 * (name.utf8.count + count + 1) }
    var size = fields.reduce(2) { $0 + space($1.name, $1.text?.utf8.count ?? 0) }
    if let secret { size += space(secret.name, secret.text?.withBytes { $0.count } ?? 0) }
    var output: [UInt8] = []
    // Grown once: a copy that growing leaves behind is not wiped.
    output.reserveCapacity(size)
    output.append(UInt8(ascii: "{"))
    func begin(_ name: String) {
      if output.count > 1 { output.append(UInt8(ascii: ",")) }
      JSONWriter.append(name, to: &output)
      output.append(UInt8(ascii: ":"))
    }
    for (name, text) in fields {
      guard let text else { continue }
      begin(name)
      JSONWriter.append(text, to: &output)
    }
    if let secret, let text = secret.text {
      begin(secret.name)
      text.withBytes { JSONWriter.append($0, to: &output) }
    }
    output.append(UInt8(ascii: "}"))
    // JSON of texts is UTF-8.
    return SecretBytes(wiping: &output).withBytes { SecretText($0) } ?? SecretText()
  }
}
