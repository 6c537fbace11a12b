internal import TokenSecurityBase
public import TokenSecurityCrypto

/// A set of keys (RFC 7517 section 5).
///
/// Keys that are not supported or not valid are listed in ``rejected``; the others remain usable.
public struct JWKSet: Sendable {
  /// The usable keys.
  public let keys: [JWK]
  /// The keys that were left out.
  public let rejected: [Rejected]
  /// Warnings about usable keys and about shared secrets that were left out, in the order of the keys.
  public let warnings: [Warning]

  /// True if the set was made of one key without `kid`, or read from PEM, which has none: its keys then verify tokens
  /// with any `kid`. In a set read from JSON, a key without `kid` verifies only tokens without one.
  let servesAnyKeyID: Bool

  /// A key that was left out.
  public struct Rejected: Sendable, Equatable {
    /// Its index in the set, from 0.
    public let index: Int
    /// Its `kid`, if readable.
    public let keyID: String?
    /// The reason.
    public let error: JOSEError
  }

  /// A set of one key. Without `kid`, it verifies tokens with any `kid`.
  ///
  /// - Parameter key: the key.
  public init(_ key: JWK) {
    self.init([key], servesAnyKeyID: key.keyID == nil)
  }

  /// A set of keys.
  ///
  /// - Parameter keys: the keys.
  public init(_ keys: [JWK]) {
    self.init(keys, servesAnyKeyID: false)
  }

  private init(_ keys: [JWK], servesAnyKeyID: Bool, rejected: [Rejected] = []) {
    self.init(Array(keys.enumerated()).map { ($0.offset, $0.element) }, servesAnyKeyID, rejected)
  }

  /// The keys of a file whose form has no `kid`.
  init(nameless keys: [(index: Int, key: JWK)], _ rejected: [Rejected]) {
    self.init(keys, true, rejected)
  }

  private init(_ keys: [(index: Int, key: JWK)], _ servesAnyKeyID: Bool, _ rejected: [Rejected]) {
    self.keys = keys.map(\.key)
    self.rejected = rejected
    self.servesAnyKeyID = servesAnyKeyID
    warnings = Self.warnings(keys, rejected, servesAnyKeyID: servesAnyKeyID)
  }

  /// Reads a JWK set, or a single JWK, from its JSON text of at most 1 MiB.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - form: the members to read, and how strictly. Use ``KeyForm/publicOnly`` for published sets.
  /// - Throws: `json` or `keySetInvalid` for text that is not a set of at most ``keyLimit`` keys; for a
  ///   single JWK the first rule that it breaks.
  public init(json: borrowing SecretBytes, form: KeyForm = .standard) throws(JOSEError) {
    self = try JSONDocument.reading(json) { document throws(JOSEError) in
      try JWKSet(document, form: form)
    }
  }

  /// Reads a JWK set, or a single JWK, from text.
  ///
  /// - Parameters:
  ///   - text: the text, of at most 1 MiB.
  ///   - form: the members to read, and how strictly. Use ``KeyForm/publicOnly`` for published sets.
  /// - Throws: `json` or `keySetInvalid`; for a single JWK the first rule that it breaks.
  public init(json text: String, form: KeyForm = .standard) throws(JOSEError) {
    try self.init(json: SecretBytes(text.utf8.span), form: form)
  }

  /// Reads a JWK set from the bytes of its text.
  package init(json text: borrowing Span<UInt8>, form: KeyForm) throws(JOSEError) {
    try self.init(json: SecretBytes(text), form: form)
  }

  /// The maximum number of keys in a set: reading one key costs up to tens of microseconds.
  public static let keyLimit = 1_024

  /// The default maximum of keys that are tried for one token if several fit.
  public static let candidateLimit = 8

  private init(_ document: JSONDocument, form: KeyForm) throws(JOSEError) {
    guard document.kind(at: 0) == .object else {
      throw .keySetInvalid(rule: "it is not a JSON object")
    }
    guard let place = document.member("keys") else {
      guard document.member("kty") != nil else {
        throw .keySetInvalid(rule: "it has neither \"keys\" nor \"kty\"")
      }
      self.init(try JWK(document, at: 0, form: form))
      return
    }
    guard document.kind(at: place) == .array else {
      throw .keySetInvalid(rule: "\"keys\" is not an array")
    }
    let elements = document.elements(of: place)
    guard elements.count <= Self.keyLimit else {
      throw .keySetInvalid(rule: "it has \(elements.count) keys; at most \(Self.keyLimit) are allowed")
    }
    var keys: [(Int, JWK)] = []
    var rejected: [Rejected] = []
    for (index, element) in elements.enumerated() {
      do {
        keys.append((index, try JWK(document, at: element, form: form)))
      } catch {
        let keyID = document.member("kid", of: element).flatMap { document.string(at: $0) }
        rejected.append(Rejected(index: index, keyID: keyID, error: error))
      }
    }
    self.init(keys, false, rejected)
  }
}
