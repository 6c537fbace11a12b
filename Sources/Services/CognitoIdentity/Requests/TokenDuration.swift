internal import TokenLifetime

/// How long a token lives: whole seconds that ``LifetimeRule/developerToken`` allows.
struct TokenDuration: Sendable {
  let duration: Duration

  /// The lifetime of tokens of `GetOpenIdToken`.
  static let basicFlow = TokenDuration(checked: .seconds(600))

  private init(checked duration: Duration) { self.duration = duration }

  /// Checks a requested duration; nil means the default, 900 s.
  init(_ requested: Duration?) throws(IdentityError) {
    do { duration = try LifetimeRule.developerToken.validate(requested: requested) } catch {
      throw .duration(error)
    }
  }
}
