internal import CognitoUserPool

/// A change of settings that were read before. Where others have changed them meanwhile it begins anew, so that no change is
/// lost.
enum SettledChange {
  /// Maximum number of attempts.
  private static let attempts = 16

  /// Calls a closure until it has stored its change.
  ///
  /// - Parameter body: reads, changes and stores; nil, or `changedMeanwhile`, where what it read is not current any more.
  /// - Returns: what the closure returns.
  /// - Throws: `data_in_use` after 16 attempts; what the closure throws.
  static func make<Result>(_ body: () async throws -> Result?) async throws -> Result {
    for _ in 1...attempts {
      do {
        if let result = try await body() { return result }
      } catch let error as UserPoolError where error.code == .changedMeanwhile {
        continue
      }
    }
    throw OperatingError(
      "others change the same settings again and again: nothing was changed; try again later",
      code: .dataInUse)
  }
}
