internal import Synchronization
internal import TokenSecurityBase

/// Derived signing keys by secret, day, region and service. When the cache is full, a new key replaces the
/// least recently used one, which is wiped after its last use.
public final class SigningKeyCache: Sendable {
  /// Maximum number of keys in the cache.
  public let capacity: Int

  private struct Key: Hashable {
    let accessKeyID: String
    /// Keys of SigV4A have no day, region and service: 0 and empty.
    let algorithm: SigningAlgorithm
    /// Days since 1970.
    let day: Int64
    let region: String
    let service: String
  }

  private struct Entry {
    let secret: RetainedSecret
    let key: SigningKey
    var lastUse: UInt64
  }

  /// A class, so that a look at it retains one object and not every member.
  private final class Use: Sendable {
    let key: Key
    let secret: RetainedSecret
    let signingKey: SigningKey

    init(_ key: Key, _ secret: RetainedSecret, _ signingKey: SigningKey) {
      self.key = key
      self.secret = secret
      self.signingKey = signingKey
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var uses: UInt64 = 0
    /// Most requests of a signer are for the same key.
    var latest: Use?
  }

  private let state = Mutex(State())

  /// Creates an empty cache for at least one key.
  public init(capacity: Int = 256) { self.capacity = max(1, capacity) }

  /// The number of keys in the cache.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Removes all keys.
  public func removeAll() {
    state.withLock { $0 = State() }
  }

  package func hmacKey(
    _ credentials: Credentials, date: Timestamp, region: String, service: String
  ) throws(SigV4Error) -> ScopedSigningKey {
    let day = date.dayNumber
    if case .hmac(let found)? = latest(credentials.secret, day, region, service) { return found }
    let key = Key(
      accessKeyID: credentials.accessKeyID, algorithm: .hmacSHA256, day: day, region: region,
      service: service)
    if case .hmac(let found)? = find(key, credentials.secret) { return found }
    let made = try ScopedSigningKey(credentials, date: date, region: region, service: service)
    insert(.hmac(made), key, credentials.secret)
    return made
  }

  package func ecdsaKey(_ credentials: Credentials) throws(SigV4Error) -> ECDSASigningKey {
    let key = Key(
      accessKeyID: credentials.accessKeyID, algorithm: .ecdsaP256SHA256, day: 0, region: "", service: "")
    if case .ecdsa(let found)? = find(key, credentials.secret) { return found }
    let made = try ECDSASigningKey(credentials)
    insert(.ecdsa(made), key, credentials.secret)
    return made
  }

  /// The key of the previous request, when it is requested again: without hashing and without copying text.
  private func latest(_ secret: RetainedSecret, _ day: Int64, _ region: String, _ service: String)
    -> SigningKey?
  {
    state.withLock { state in
      guard let latest = state.latest, latest.secret === secret,
        latest.key.algorithm == .hmacSHA256, latest.key.day == day, latest.key.region == region,
        latest.key.service == service
      else { return nil }
      return latest.signingKey
    }
  }

  private func find(_ key: Key, _ secret: RetainedSecret) -> SigningKey? {
    state.withLock { state in
      guard let entry = state.entries[key], entry.secret.isEqual(to: secret) else { return nil }
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      state.latest = Use(key, secret, entry.key)
      return entry.key
    }
  }

  private func insert(_ signingKey: SigningKey, _ key: Key, _ secret: RetainedSecret) {
    state.withLock { state in
      if state.entries[key] == nil, state.entries.count >= capacity,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.entries[oldest.key] = nil
      }
      state.uses += 1
      state.entries[key] = Entry(secret: secret, key: signingKey, lastUse: state.uses)
      state.latest = Use(key, secret, signingKey)
    }
  }
}

/// A key of either algorithm.
enum SigningKey: Sendable {
  case hmac(ScopedSigningKey)
  case ecdsa(ECDSASigningKey)

  var algorithm: SigningAlgorithm {
    switch self {
    case .hmac: .hmacSHA256
    case .ecdsa: .ecdsaP256SHA256
    }
  }

  /// The scope as text; a scoped key has it prepared.
  func scopeBytes(_ scope: CredentialScope) -> [UInt8] {
    switch self {
    case .hmac(let key): key.scopeBytes
    case .ecdsa: scope.bytes
    }
  }

  func credentialBytes(_ accessKeyID: String, _ scope: CredentialScope) -> [UInt8] {
    switch self {
    case .hmac(let key): key.credentialBytes
    case .ecdsa: Array(accessKeyID.utf8) + [UInt8(ascii: "/")] + scope.bytes
    }
  }

  func sign(_ text: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    switch self {
    case .hmac(let key): try key.sign(text)
    case .ecdsa(let key): try key.sign(text)
    }
  }
}
