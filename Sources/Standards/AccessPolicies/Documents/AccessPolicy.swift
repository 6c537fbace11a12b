package import TokenSecurityBase

/// A policy document of IAM, ready to be compared with requests.
///
/// Read a document once and keep the policy: reading checks everything, and takes hundreds of times as long as a decision. Unknown
/// elements, operators and effects are refused, since ignoring them would change the policy's meaning. What is accepted and cannot do
/// what it seems to do is among the ``warnings``: log them, or refuse the policy.
public struct AccessPolicy: Sendable {
  /// The name by which explanations call the policy.
  public let name: String
  /// The kind.
  public let kind: AccessPolicyKind
  /// What is accepted and cannot do what it seems to do, in the order of the text.
  public let warnings: [PolicyWarning]
  /// The statements, prepared for comparison.
  let prepared: SharedStatements

  /// Reads a policy document.
  ///
  /// A document that is refused allows nothing and denies nothing. Do not decide without it: an unread Deny, boundary or session policy
  /// would be missing.
  ///
  /// - Parameters:
  ///   - json: the document. A member's name that occurs twice in one object is refused.
  ///   - name: the name for explanations and log lines, such as that of a file. Names need not differ.
  ///   - kind: what the policy is attached to, which decides about its elements: ``AccessPolicyKind/identity`` for a user or a role, and for
  ///     permissions boundaries and session policies, ``AccessPolicyKind/resource`` for a resource.
  ///   - limits: bounds of the document, for texts of strangers. What exceeds them is refused.
  /// - Throws: the first rule that the document breaks, with its line and column.
  public init(
    json: String, name: String, kind: AccessPolicyKind, limits: AccessPolicyLimits = AccessPolicyLimits()
  ) throws(AccessPolicyError) {
    try self.init(json: Array(json.utf8), name: name, kind: kind, limits: limits)
  }

  /// Reads the UTF-8 of a policy document. All that is said of a text is true of its bytes.
  ///
  /// - Parameters:
  ///   - json: the document. Other bytes than UTF-8 are refused.
  ///   - name: the name for explanations.
  ///   - kind: what the policy is attached to.
  ///   - limits: bounds of the document.
  /// - Throws: the first rule that the document breaks, with its line and column.
  public init(
    json: [UInt8], name: String, kind: AccessPolicyKind, limits: AccessPolicyLimits = AccessPolicyLimits()
  ) throws(AccessPolicyError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(json, limits: JSONLimits(size: limits.size, depth: limits.depth))
    } catch {
      throw .json(error, at: TextPosition(ofByte: error.offset ?? 0, in: json))
    }
    try self.init(document, name: name, kind: kind, limits: limits)
  }

  /// The statements in the order of the text.
  package var statements: [Statement] { prepared.table.statements }

  /// Reads a document that was parsed before.
  package init(
    _ document: JSONDocument, name: String, kind: AccessPolicyKind,
    limits: AccessPolicyLimits = AccessPolicyLimits()
  ) throws(AccessPolicyError) {
    var reader = DocumentReader(document, kind: kind, limits: limits)
    prepared = SharedStatements(try reader.statements())
    warnings = reader.placedWarnings()
    self.name = name
    self.kind = kind
  }
}
