public import CognitoIdentityClient
internal import ServiceOperations
internal import TokenLifetime
public import TokenSecurityBase

/// The sessions of a pool's users on a device: verified tokens, refreshed in time and stored.
///
///     let store = FileSessionStore(path: path)
///     let sessions = try UserPoolSessions(client: client, store: store)
///     try await sessions.keep(signedIn)           // at the end of a sign-in
///     let tokens = try await sessions.tokens()    // refreshed shortly before they expire
///
/// - Tokens are verified before they are given out: signature, issuer, use, client and times.
/// - Concurrent callers share one refresh.
/// - A failure that passes keeps the session: no connection, a busy service. While the tokens are valid, callers get
///   them in spite of it. A refusal that means that the session has ended drops it.
/// - A refresh token that the service replaces is stored before anything else.
/// - Programs can share a store: tokens that another one has refreshed are taken over, and a session that it has deleted
///   ends at the next refresh.
/// - A value that cannot be stored is an error once. The session goes on in memory, and each later call tries to
///   store it.
/// - After two failures in a row there is a pause of one second, doubled by each further failure up to a minute.
///   During a pause, calls throw the last failure.
/// - A call whose task is cancelled throws `cancelled`. A refresh goes on for the others.
///
/// Several users can be signed in. The current one is the last who signed in; functions that take a user name take
/// that one by default. User names are those of the tokens, which can differ from the alias that a user typed.
public actor UserPoolSessions {
  /// The calls to the pool.
  public nonisolated let client: UserPoolClient
  /// How long before they expire tokens are refreshed.
  public nonisolated let margin: Duration
  /// Texts for the pool's triggers at each refresh.
  public nonisolated let clientMetadata: [ExactString: String]

  let verifier: UserPoolTokenVerifier
  let clock: @Sendable () -> Duration
  /// The clock of pauses.
  let timers: any Clock<Duration>
  var records: SessionRecords
  var sessions: [ExactString: LiveSession] = [:]
  /// True where the service refreshes by `InitiateAuth` alone.
  var refreshesByInitiateAuth: Bool
  private var names: SessionNames
  private var lastNumber = 0
  private var providers: [WeakProvider] = []

  /// Maximum number of sessions in memory. The others are read from the store when they are needed.
  private static let capacity = 1_000

  /// Reads the names of the current user and the last one from the store.
  ///
  /// - Parameters:
  ///   - client: the calls to the pool.
  ///   - store: where sessions and remembered devices are stored. Default: in memory.
  ///   - margin: how long before they expire tokens are refreshed. Default: 120 seconds.
  ///   - refreshesByInitiateAuth: true to refresh by `InitiateAuth` with `REFRESH_TOKEN_AUTH`, as older clients do.
  ///     Default: false. `GetTokensFromRefreshToken` replaces refresh tokens where the app client rotates them; a
  ///     service that says that it does not have this operation is asked by `InitiateAuth`.
  ///   - clientMetadata: texts for the pool's triggers at each refresh. Default: none.
  /// - Throws: `configurationInvalid`, `storeUnavailable`.
  public init(
    client: UserPoolClient, store: any SessionStore = MemorySessionStore(), margin: Duration = .seconds(120),
    refreshesByInitiateAuth: Bool = false, clientMetadata: [ExactString: String] = [:]
  ) throws(UserPoolClientError) {
    let start = ContinuousClock.now
    try self.init(
      client: client, store: store, margin: margin, refreshesByInitiateAuth: refreshesByInitiateAuth,
      clientMetadata: clientMetadata, clock: { ContinuousClock.now - start })
  }

  /// Same with other clocks and another limit for fetches of keys, for tests.
  package init(
    client: UserPoolClient, store: any SessionStore, margin: Duration, refreshesByInitiateAuth: Bool,
    clientMetadata: [ExactString: String] = [:], keyTimeout: Duration? = nil,
    timers: any Clock<Duration> = ContinuousClock(), clock: @escaping @Sendable () -> Duration
  ) throws(UserPoolClientError) {
    guard margin >= .zero else { throw .configurationInvalid(rule: "the margin is negative") }
    self.client = client
    self.margin = margin
    self.clock = clock
    self.timers = timers
    self.clientMetadata = clientMetadata
    self.refreshesByInitiateAuth = refreshesByInitiateAuth
    verifier = try UserPoolTokenVerifier(
      pool: client.pool, transport: client.calls.transport, keyTimeout: keyTimeout)
    records = SessionRecords(store, of: client.pool)
    names = SessionNames()
    if let stored = try records.value(.users) {
      guard let known = SessionNames(stored) else {
        throw .storeUnavailable("the stored names of users are malformed")
      }
      names = known
      // A program that was killed between two writes, or another one, can leave the name without a session.
      if let current = known.current, try records.value(.session(username: current)) == nil {
        names.current = nil
      }
    }
  }

  /// The user who is signed in; nil for none. Makes no call.
  public var currentUsername: String? { names.current }

  /// The name that was last used to sign in, also after the user signed out: to ask for the password alone.
  public var lastUsername: String? { names.last }

  /// Makes another signed-in user the current one.
  ///
  /// - Parameter username: the user's name.
  /// - Throws: `signedOut` if the user is not signed in; `storeUnavailable`.
  public func makeCurrent(_ username: String) async throws(UserPoolClientError) {
    _ = try session(of: username)
    let earlier = currentUser
    rename { names in
      names.current = username
      names.last = username
      names.lastUser = nil
    }
    try await tellProviders(after: earlier)
    try records.report()
  }

  /// The user who is signed in, by name and `sub`: a name can be given to another user.
  var currentUser: CurrentUser? {
    guard let username = names.current else { return nil }
    return CurrentUser(username: username, subject: (try? session(of: username))?.record.subject)
  }

  /// The user that a function without a user name is for.
  func name(_ username: String?) throws(UserPoolClientError) -> String {
    guard let name = username ?? names.current else { throw .signedOut }
    return name
  }

  /// The session of a user, from the store if it is not in memory.
  func session(of username: String) throws(UserPoolClientError) -> LiveSession {
    let name = ExactString(username)
    if let session = sessions[name] { return session }
    guard let stored = try records.value(.session(username: username)) else { throw .signedOut }
    guard let record = SessionRecord(stored), record.username == username else {
      throw .storeUnavailable("the stored session of \(username.quoted) is malformed")
    }
    return put(record, tokens: nil)
  }

  /// Puts a session, which replaces the user's earlier one.
  func put(_ record: SessionRecord, tokens: UserPoolTokens?, margin: Duration? = nil) -> LiveSession {
    if sessions.count >= Self.capacity { sessions = sessions.filter { $0.value.flight != nil } }
    lastNumber += 1
    let session = LiveSession(
      number: lastNumber, record: record, margin: margin ?? self.margin, tokens: tokens)
    sessions[ExactString(record.username)] = session
    return session
  }

  /// The last name, if it is this user's.
  func lastName(of username: String) -> String? { names.isLast(username) ? names.last : nil }

  /// Deletes the last name, if it is this user's.
  func forgetLast(_ name: String) {
    guard names.isLast(name) else { return }
    rename { names in
      guard names.isLast(name) else { return }
      names.last = nil
      names.lastUser = nil
    }
  }

  /// Changes the names, here and in the store. What another program that shares the store has changed there stays.
  func rename(_ change: (inout SessionNames) -> Void) {
    change(&names)
    var stored = (try? records.value(.users)).flatMap { SessionNames($0) } ?? names
    change(&stored)
    records.set(stored.stored, for: .users)
  }

  /// Deletes a user's session.
  func drop(_ username: String) {
    sessions[ExactString(username)] = nil
    records.set(nil, for: .session(username: username))
    if names.current == username { rename { if $0.current == username { $0.current = nil } } }
  }
}

/// A session in memory.
struct LiveSession {
  /// The result of a call for a session with another number is discarded.
  let number: Int
  var record: SessionRecord
  /// How long before they expire the tokens are refreshed.
  var margin: Duration
  /// False if the store could not take the record, which is then in memory alone.
  var isStored = true
  /// Nil until the tokens of the record are verified.
  var tokens: UserPoolTokens?
  /// The refresh in progress, shared by all callers.
  var flight: SingleFlight<Result<UserPoolTokens, UserPoolClientError>>?
  var pause = RetryPause<UserPoolClientError>()
}

extension UserPoolSessions {
  /// The user of the current session.
  struct CurrentUser: Equatable {
    let username: String
    /// Nil if the session cannot be read.
    let subject: String?
  }

  /// A provider of credentials that uses the current user's ID token, and does not own these sessions.
  struct WeakProvider { weak var provider: IdentityProvider? }

  /// Keeps an identity provider in step with the current user. The sessions are the provider's logins:
  ///
  ///     import CognitoIdentityClient
  ///
  ///     let provider = try IdentityProvider(poolID: identityPool, calls: calls, logins: sessions)
  ///     await sessions.inform(provider)
  ///
  /// When a guest signs in, the credentials are dropped and the identity is kept, so that it becomes the user's. When
  /// the user signs out, or another one signs in, the identity is dropped too.
  ///
  /// - Parameter provider: the provider. It is not kept alive.
  public func inform(_ provider: IdentityProvider) {
    providers.removeAll { $0.provider == nil || $0.provider === provider }
    providers.append(WeakProvider(provider: provider))
  }

  /// Tells the providers if the current user has changed.
  ///
  /// - Throws: `storeUnavailable` if a provider cannot remove its stored identity; it tries again itself.
  func tellProviders(after earlier: CurrentUser?) async throws(UserPoolClientError) {
    guard currentUser != earlier else { return }
    var failure: UserPoolClientError?
    for provider in providers.compactMap(\.provider) {
      guard earlier != nil else {
        await provider.clearCredentials()
        continue
      }
      do throws(IdentityClientError) { try await provider.clearIdentity() } catch {
        failure = .storeUnavailable("\(error)")
      }
    }
    if let failure { throw failure }
  }
}
