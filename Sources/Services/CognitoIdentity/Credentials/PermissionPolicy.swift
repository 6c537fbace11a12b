public import AccessPolicies
package import Records
internal import TokenSecurityBase

/// A permission policy of a role or of an access key, or a managed policy, by its name.
///
/// The document is read once, when the policy is made or when the role's row is decoded.
public struct PermissionPolicy: Sendable {
  /// The name: 1 to 128 characters of `[\w+=,.@-]`.
  public private(set) var name: String
  /// The document's JSON, as it was given.
  public private(set) var document: String
  /// Nil for a stored document that this version does not load.
  package private(set) var loaded: AccessPolicy?

  /// Maximum number of a role's policies.
  public static let countLimit = 10
  /// Maximum number of characters of a role's policies without white space.
  public static let sizeLimit = 10_240

  /// Reads a policy.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - document: the document's JSON, an identity-based policy.
  /// - Throws: `parameterLength`, `parameterPattern` for the name; `policyInvalid`.
  public init(name: String, document: String) throws(IdentityError) {
    try Self.checkName(name)
    self.name = name
    self.document = document
    loaded = try Self.load(document, name)
  }

  /// Checks that the document can be loaded.
  ///
  /// - Throws: `policyInvalid`.
  func check() throws(IdentityError) {
    try Self.checkName(name)
    if loaded == nil { _ = try Self.load(document, name) }
  }

  /// What the document has that cannot do what it seems to do.
  public var warnings: [PolicyWarning] { loaded?.warnings ?? [] }

  /// The number of characters without white space.
  var size: Int {
    document.unicodeScalars.count { $0 != " " && $0 != "\n" && $0 != "\t" && $0 != "\r" }
  }

  private static func load(_ document: String, _ name: String) throws(IdentityError) -> AccessPolicy {
    do { return try AccessPolicy(json: document, name: name, kind: .identity) } catch {
      throw .policyInvalid(name: name, error)
    }
  }

  private static let namePattern: TextPattern = #"[\w+=,.@-]+"#

  static func checkName(_ name: String) throws(IdentityError) {
    try CountBounds(1...128).check(name.utf8.count, "the policy's name")
    guard namePattern.matches(name) else {
      throw .parameterPattern("the policy's name", pattern: "\(namePattern)")
    }
  }
}

extension PermissionPolicy: Hashable {
  /// Compares the bytes of names and documents.
  ///
  /// - Parameters:
  ///   - left: a policy.
  ///   - right: a policy.
  /// - Returns: true where they are the same.
  public static func == (left: PermissionPolicy, right: PermissionPolicy) -> Bool {
    left.name == right.name && left.document == right.document
  }

  /// Hashes the bytes of name and document.
  ///
  /// - Parameter hasher: the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactString(name))
    hasher.combine(ExactString(document))
  }
}

extension PermissionPolicy: StoredFields {
  package init() { (name, document, loaded) = ("", "", nil) }

  package mutating func fields(_ f: inout RowFields) {
    let before = document
    f.text("name", &name)
    f.text("document", &document)
    // A document that cannot be loaded allows nothing; the rest of the role can be used.
    if document != before { loaded = try? Self.load(document, name) }
  }
}
