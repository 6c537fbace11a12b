public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// A set of keys (RFC 7517 section 5).
///
/// A key that is not understood, or that must be refused, is left out and listed in ``rejected``; it
/// never spoils the others.
public struct JWKSet: Sendable {
  /// The keys that can be used.
  public let keys: [JWK]
  /// The keys that cannot.
  public let rejected: [Rejected]
  /// What is doubtful about keys: of those that can be used, and of shared secrets that were left out as such. In the
  /// order of the keys.
  public let warnings: [Warning]

  /// True where the set is one key without a `kid`, given by itself: it then serves whatever `kid` a
  /// token has. In a set from elsewhere a key without `kid` serves tokens without one.
  let servesAnyKeyID: Bool

  /// A key that was left out.
  public struct Rejected: Sendable, Equatable {
    /// Its place in the set, from 0.
    public let index: Int
    /// Its `kid`, where it could be read.
    public let keyID: String?
    /// Why.
    public let error: JOSEError
  }

  /// A set of one key, which serves every `kid` where it has none itself.
  public init(_ key: JWK) {
    self.init([key], servesAnyKeyID: key.keyID == nil)
  }

  /// A set of `keys`.
  public init(_ keys: [JWK]) {
    self.init(keys, servesAnyKeyID: false)
  }

  private init(_ keys: [JWK], servesAnyKeyID: Bool, rejected: [Rejected] = []) {
    self.init(Array(keys.enumerated()).map { ($0.offset, $0.element) }, servesAnyKeyID, rejected)
  }

  private init(_ keys: [(index: Int, key: JWK)], _ servesAnyKeyID: Bool, _ rejected: [Rejected]) {
    self.keys = keys.map(\.key)
    self.rejected = rejected
    self.servesAnyKeyID = servesAnyKeyID
    warnings = Self.warnings(keys, rejected)
  }

  /// Reads a JWK set, or a single JWK, from its JSON text of at most 1 MiB.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - form: which members are read, and how strictly. ``KeyForm/publicOnly`` for sets of someone else.
  /// - Throws: `json_…` codes and `keySetInvalid` for what is not a set of at most ``keyLimit`` keys; for a single
  ///   JWK the first rule that it breaks.
  public init(json: borrowing SecretBytes, form: KeyForm = .standard) throws(JOSEError) {
    self = try JSONDocument.reading(json) { document throws(JOSEError) in
      try JWKSet(document, form: form)
    }
  }

  /// Reads a JWK set, or a single JWK, from text.
  ///
  /// - Parameters:
  ///   - text: the text, of at most 1 MiB.
  ///   - form: which members are read, and how strictly. ``KeyForm/publicOnly`` for sets of someone else.
  /// - Throws: what the form that takes `SecretBytes` throws.
  public init(json text: String, form: KeyForm = .standard) throws(JOSEError) {
    try self.init(json: SecretBytes(text.utf8.span), form: form)
  }

  /// Reads a JWK set from the bytes of its text.
  package init(json text: borrowing Span<UInt8>, form: KeyForm) throws(JOSEError) {
    try self.init(json: SecretBytes(text), form: form)
  }

  /// The most keys of a set. A text with more is refused: reading one key costs up to tens of microseconds.
  public static let keyLimit = 1_024

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
      throw .keySetInvalid(rule: "it has \(elements.count) keys where at most \(Self.keyLimit) are allowed")
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
