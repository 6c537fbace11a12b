internal import CognitoIdentity
internal import TokenSecurityPlatform

/// A new access key as text. The secret is written from its own memory, which is wiped.
struct AccessKeyText: ~Copyable {
  /// The forms of the text.
  enum Form {
    /// Two lines of shell commands that set the key, after spaces.
    case exports(indent: Int)
    /// One line of JSON, as AWS's `credential_process` expects it.
    case json
  }

  private let key: IdentityPoolService.NewAccessKey

  init(_ key: consuming IdentityPoolService.NewAccessKey) { self.key = key }

  var id: String { key.id }

  /// Stores the key of a service's first start.
  borrowing func add(to service: IdentityPoolService) async throws(IdentityError) {
    try await service.addAccessKey(key, note: "made at the first start")
  }

  /// Writes the key to an open file. Returns false on failure.
  borrowing func write(_ form: Form, to descriptor: Int32) -> Bool {
    // The id and the secret have letters, digits, "+" and "/" only.
    let before: String
    let after: String
    switch form {
    case .exports(let indent):
      let space = String(repeating: " ", count: indent)
      before = "\(space)export AWS_ACCESS_KEY_ID=\(key.id)\n\(space)export AWS_SECRET_ACCESS_KEY="
      after = "\n"
    case .json:
      before = "{\"Version\":1,\"AccessKeyId\":\"\(key.id)\",\"SecretAccessKey\":\""
      after = "\"}\n"
    }
    return Descriptor.writeAll(before.utf8.span, to: descriptor)
      && key.secret.withBytes { Descriptor.writeAll($0, to: descriptor) }
      && Descriptor.writeAll(after.utf8.span, to: descriptor)
  }

  /// Writes the key to standard output between two texts. Returns false on failure.
  borrowing func print(_ form: Form, after start: String = "", before end: String = "") -> Bool {
    StandardOutput.write(start) && write(form, to: STDOUT_FILENO) && StandardOutput.write(end)
  }
}
