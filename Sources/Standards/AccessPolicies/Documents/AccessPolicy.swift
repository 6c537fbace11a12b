package import TokenSecurityBase

/// A policy document of IAM, ready to be compared with requests.
///
/// Unknown elements, operators and effects are refused, since ignoring them would change the policy's meaning. Parts that can never
/// apply are ``warnings``.
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
  /// - Parameters:
  ///   - json: the document.
  ///   - name: the name for explanations.
  ///   - kind: the kind.
  ///   - limits: bounds of the document.
  /// - Throws: the first rule that the document breaks, with its place.
  public init(
    json: String, name: String, kind: AccessPolicyKind, limits: AccessPolicyLimits = AccessPolicyLimits()
  ) throws(AccessPolicyError) {
    try self.init(json: Array(json.utf8), name: name, kind: kind, limits: limits)
  }

  /// Reads the UTF-8 of a policy document.
  ///
  /// - Parameters:
  ///   - json: the document.
  ///   - name: the name for explanations.
  ///   - kind: the kind.
  ///   - limits: bounds of the document.
  /// - Throws: the first rule that the document breaks, with its place.
  public init(
    json: [UInt8], name: String, kind: AccessPolicyKind, limits: AccessPolicyLimits = AccessPolicyLimits()
  ) throws(AccessPolicyError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(json, limits: JSONLimits(size: limits.size, depth: limits.depth))
    } catch {
      throw .json(error, at: PolicyPlace(ofByte: error.offset ?? 0, in: json))
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
