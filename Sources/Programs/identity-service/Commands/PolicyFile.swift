internal import AccessPolicies
internal import CognitoIdentity
internal import TokenSecurityBase

/// Permission policies in files.
enum PolicyFile {
  /// Reads a policy and reports its warnings. Its name is that of the file without extension.
  static func read(_ path: String) throws -> PermissionPolicy {
    let file = path.parts(at: "/").last ?? path
    let stem = file.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(file[..<$0]) }
    let name = stem.flatMap { $0.isEmpty ? nil : $0 } ?? file
    return try read(path, name: name)
  }

  /// Reads a policy with a name, and reports its warnings.
  static func read(_ path: String, name: String) throws -> PermissionPolicy {
    let policy = try PermissionPolicy(name: name, document: try TextFile.read(path))
    for warning in policy.warnings {
      StandardError.write("identity-service: warning: \(path): \(warning) [\(warning.code.rawValue)]\n")
    }
    return policy
  }

  /// A policy's name and document, for lists.
  static func object(_ policy: PermissionPolicy) -> JSONValue {
    .object(["name": .string(policy.name), "document": .string(policy.document)])
  }
}
