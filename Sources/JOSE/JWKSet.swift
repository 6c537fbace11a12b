public import CryptoPrimitives
internal import Encodings

/// A set of keys (RFC 7517 section 5).
///
/// A key that is not understood, or that must be refused, is left out and listed in ``rejected``; it
/// never spoils the others.
public struct JWKSet: Sendable {
  /// The keys that can be used.
  public let keys: [JWK]
  /// The keys that cannot.
  public let rejected: [Rejected]
  /// What is doubtful about keys that can be used.
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

  /// Something that deserves a look.
  public struct Warning: Sendable, Hashable {
    /// The key's place in the set, from 0.
    public let index: Int
    /// Its `kid`, where it has one.
    public let keyID: String?
    /// The doubt.
    public let kind: Kind

    /// The kinds of doubt there are.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The key has private members, which do not belong into a set that others read.
      case privateMembers = "private_members"
      /// A shared secret stands among public keys.
      case sharedSecret = "shared_secret"
      /// Another key of the set has the same `kid`.
      case duplicateKeyID = "duplicate_kid"
      /// The key has no `kid`, so that tokens cannot say that it is theirs.
      case noKeyID = "no_kid"
      /// The key is not for signatures.
      case notForSignatures = "not_for_signatures"
      /// A shared secret is shorter than the shortest digest, so that it is of no use.
      case secretTooShort = "secret_too_short"
      /// The key does not say which algorithm it is for.
      case noAlgorithm = "no_alg"
    }
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
    warnings = Self.warnings(keys)
  }

  /// Reads a JWK set, or a single JWK, from its JSON text of at most 1 MiB.
  public init(json: borrowing SecretBytes) throws(JOSEError) {
    self = try JSONDocument.reading(json) { document throws(JOSEError) in try JWKSet(document) }
  }

  /// Reads a JWK set, or a single JWK, from text.
  public init(json text: String) throws(JOSEError) {
    try self.init(json: SecretBytes(text.utf8.span))
  }

  /// Reads a JWK set whose numbers may be written as `form` says.
  package init(json text: borrowing Span<UInt8>, form: KeyForm) throws(JOSEError) {
    self = try JSONDocument.reading(SecretBytes(text)) { document throws(JOSEError) in
      try JWKSet(document, form: form)
    }
  }

  private init(_ document: JSONDocument, form: KeyForm = .standard) throws(JOSEError) {
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
    var keys: [(Int, JWK)] = []
    var rejected: [Rejected] = []
    for (index, element) in document.elements(of: place).enumerated() {
      do {
        keys.append((index, try JWK(document, at: element, form: form)))
      } catch {
        let keyID = document.member("kid", of: element).flatMap { document.string(at: $0) }
        rejected.append(Rejected(index: index, keyID: keyID, error: error))
      }
    }
    self.init(keys, false, rejected)
  }

  private static func warnings(_ keys: [(index: Int, key: JWK)]) -> [Warning] {
    var counts: [String: Int] = [:]
    for entry in keys { if let keyID = entry.key.keyID { counts[keyID, default: 0] += 1 } }
    let hasPublic = keys.contains { $0.key.publicKey != nil }
    return keys.flatMap { entry -> [Warning] in
      let key = entry.key
      var kinds: [Warning.Kind] = []
      switch key.material {
      case .privateKey: kinds.append(.privateMembers)
      case .shared:
        if hasPublic { kinds.append(.sharedSecret) }
        if key.bits < 256 { kinds.append(.secretTooShort) }
      case .publicKey: break
      }
      if let keyID = key.keyID, counts[keyID, default: 0] > 1 { kinds.append(.duplicateKeyID) }
      if key.keyID == nil, keys.count > 1 { kinds.append(.noKeyID) }
      if !key.isForVerifying { kinds.append(.notForSignatures) }
      if key.algorithmName == nil { kinds.append(.noAlgorithm) }
      return kinds.map { Warning(index: entry.index, keyID: key.keyID, kind: $0) }
    }
  }
}
