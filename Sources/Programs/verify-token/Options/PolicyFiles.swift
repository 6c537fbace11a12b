internal import AccessPolicies
internal import ArgumentParser
internal import TokenSecurityBase

/// The options that name files of policies.
struct PolicyFiles: ParsableArguments {
  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "File with a policy of the caller's user or role, \"-\" for standard input. Can be repeated.",
      valueName: "file"), completion: .file())
  var identity: [String] = []

  @Option(
    name: .customLong("resource-policy"),
    help: ArgumentHelp("File with a policy of the resource. Can be repeated.", valueName: "file"),
    completion: .file())
  var resource: [String] = []

  @Option(
    name: .customLong("boundary"),
    help: ArgumentHelp("File with the permissions boundary. Can be repeated.", valueName: "file"),
    completion: .file())
  var boundary: [String] = []

  @Option(
    name: .customLong("session-policy"),
    help: ArgumentHelp("File with a policy of the caller's session. Can be repeated.", valueName: "file"),
    completion: .file())
  var session: [String] = []

  /// Reads the files.
  ///
  /// - Throws: `UsageError` for a file that cannot be read, and for a policy that is refused.
  func policies() throws -> PolicySet {
    guard !(identity + resource).isEmpty else {
      throw UsageError("--policy or --resource-policy is missing", code: UsageError.optionsWrong)
    }
    return PolicySet(
      identity: try identity.map { try Self.policy($0, .identity) },
      resource: try resource.map { try Self.policy($0, .resource) },
      boundary: try boundary.map { try Self.policy($0, .identity) },
      session: try session.map { try Self.policy($0, .identity) })
  }

  private static func policy(_ path: String, _ kind: AccessPolicyKind) throws -> AccessPolicy {
    let name = InputFile.name(path)
    let bytes = try InputFile.bytes(path)
    let policy: AccessPolicy
    do { policy = try AccessPolicy(json: bytes, name: name, kind: kind) } catch {
      throw UsageError(error, in: name)
    }
    for warning in policy.warnings { StandardError.warn(name, "\(warning) [\(warning.code.rawValue)]") }
    return policy
  }
}
