internal import TokenSecurityEncodings
internal import Synchronization

/// A store in memory, for tests and demonstrations.
public final class MemoryIdentityStore: IdentityStore {
  private let state = Mutex(State())

  /// Makes an empty store.
  public init() {}

  /// Reads a snapshot of the store.
  public func read<R: Sendable>(
    _ body: @Sendable (any IdentityReading) throws(IdentityError) -> R
  ) throws(IdentityError) -> R {
    try body(Transaction(state.withLock { $0 }))
  }

  /// Changes the store in one transaction.
  public func write<R: Sendable>(
    _ body: @escaping @Sendable (any IdentityWriting) throws(IdentityError) -> R
  ) async throws(IdentityError) -> R {
    let result = state.withLock { state -> Result<R, IdentityError> in
      let transaction = Transaction(state)
      do throws(IdentityError) {
        let value = try body(transaction)
        state = transaction.state
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  struct State: Sendable {
    var pools: [ExactString: IdentityPool] = [:]
    var identities: [ExactString: Identity] = [:]
    var logins: [LinkedLogin.Key: LinkedLogin] = [:]
    var loginsOf: [ExactString: Set<LinkedLogin.Key>] = [:]
    /// The order of linking.
    var numbers: [LinkedLogin.Key: Int] = [:]
    var count = 0
    var roles: [ExactString: StoredRole] = [:]
    var providers: [ExactString: LoginProviderSettings] = [:]
    var signingKeys: [ExactString: StoredSigningKey] = [:]
    var accessKeys: [ExactString: StoredAccessKey] = [:]
  }
}

/// A transaction over a copy of the state.
private final class Transaction: IdentityWriting {
  var state: MemoryIdentityStore.State

  init(_ state: MemoryIdentityStore.State) { self.state = state }

  func pool(_ id: String) -> IdentityPool? { state.pools[ExactString(id)] }

  func hasPool(_ id: String) -> Bool { state.pools[ExactString(id)] != nil }

  func poolCount() -> Int { state.pools.count }

  func pools(after id: String?, limit: Int) -> [IdentityPool] {
    page(state.pools.values.sorted { $0.id < $1.id }, after: id, limit, \.id)
  }

  func identity(_ id: String) -> Identity? { state.identities[ExactString(id)] }

  func identities(inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool) -> [Identity] {
    let all = state.identities.values
      .filter { $0.poolID == poolID && (includingMerged || $0.mergedInto == nil) }
      .sorted { $0.id < $1.id }
    return page(all, after: id, limit, \.id)
  }

  private func page<T>(_ all: [T], after id: String?, _ limit: Int, _ name: @escaping (T) -> String) -> [T] {
    guard let id else { return Array(all.prefix(limit)) }
    return Array(all.lazy.filter { name($0) > id }.prefix(limit))
  }

  func login(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) -> LinkedLogin? {
    state.logins[.init(pool: poolID, kind: kind, provider: provider, user: user)]
  }

  func logins(of identityID: String) -> [LinkedLogin] {
    (state.loginsOf[ExactString(identityID)] ?? []).sorted {
      (state.numbers[$0] ?? 0) < (state.numbers[$1] ?? 0)
    }
    .compactMap { state.logins[$0] }
  }

  func role(_ arn: String) -> StoredRole? { state.roles[ExactString(arn)] }
  func roles() -> [StoredRole] { state.roles.values.sorted { $0.arn < $1.arn } }
  func loginProvider(_ name: String) -> LoginProviderSettings? { state.providers[ExactString(name)] }
  func loginProviders() -> [LoginProviderSettings] { state.providers.values.sorted { $0.name < $1.name } }
  func signingKeys() -> [StoredSigningKey] {
    state.signingKeys.values.sorted {
      $0.signsFrom == $1.signsFrom ? $0.keyID < $1.keyID : $0.signsFrom < $1.signsFrom
    }
  }
  func accessKey(_ id: String) -> StoredAccessKey? { state.accessKeys[ExactString(id)] }
  func accessKeys() -> [StoredAccessKey] { state.accessKeys.values.sorted { $0.id < $1.id } }

  func put(_ pool: IdentityPool) throws(IdentityError) {
    try pool.check()
    state.pools[ExactString(pool.id)] = pool
  }

  func removePool(_ id: String) {
    state.pools[ExactString(id)] = nil
    for identity in state.identities.values where identity.poolID == id { removeIdentity(identity.id) }
  }

  func put(_ identity: Identity) throws(IdentityError) {
    try identity.check()
    state.identities[ExactString(identity.id)] = identity
  }

  func removeIdentity(_ id: String) {
    for name in state.loginsOf[ExactString(id)] ?? [] {
      state.logins[name] = nil
      state.numbers[name] = nil
    }
    state.loginsOf[ExactString(id)] = nil
    state.identities[ExactString(id)] = nil
  }

  func put(_ login: LinkedLogin) throws(IdentityError) {
    try login.check()
    let name = login.key
    if let old = state.logins.updateValue(login, forKey: name) {
      state.loginsOf[ExactString(old.identityID)]?.remove(name)
    }
    state.loginsOf[ExactString(login.identityID), default: []].insert(name)
    if state.numbers[name] == nil {
      state.count += 1
      state.numbers[name] = state.count
    }
  }

  func removeLogin(inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String) {
    let name = LinkedLogin.Key(pool: poolID, kind: kind, provider: provider, user: user)
    guard let old = state.logins.removeValue(forKey: name) else { return }
    state.loginsOf[ExactString(old.identityID)]?.remove(name)
    state.numbers[name] = nil
  }

  func put(_ role: StoredRole) throws(IdentityError) {
    try role.check()
    state.roles[ExactString(role.arn)] = role
  }
  func removeRole(_ arn: String) { state.roles[ExactString(arn)] = nil }
  func put(_ provider: LoginProviderSettings) throws(IdentityError) {
    try provider.check()
    state.providers[ExactString(provider.name)] = provider
  }
  func removeLoginProvider(_ name: String) { state.providers[ExactString(name)] = nil }
  func put(_ key: StoredSigningKey) throws(IdentityError) {
    try key.check()
    state.signingKeys[ExactString(key.keyID)] = key
  }
  func removeSigningKey(_ keyID: String) { state.signingKeys[ExactString(keyID)] = nil }
  func put(_ key: StoredAccessKey) throws(IdentityError) {
    try key.check()
    state.accessKeys[ExactString(key.id)] = key
  }
  func removeAccessKey(_ id: String) { state.accessKeys[ExactString(id)] = nil }
}
