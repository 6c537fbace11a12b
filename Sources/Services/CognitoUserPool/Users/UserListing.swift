internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Lists of users.
extension Users {
  /// Lists users, in the order of their names, or of the attribute that is searched (`ListUsers`).
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - filter: the filter; nil or empty for all users.
  ///   - attributes: the attributes in the response, which must be the pool's; nil or empty for all.
  ///   - limit: the most users, at most 60; nil or 0 for 60.
  ///   - token: the token of the page; nil for the first one.
  ///   - now: the time of the call.
  /// - Returns: the page. It may have fewer users than the limit, or none, and be followed by others.
  /// - Throws: `poolUnknown`, `filterInvalid`, `attributeNotSearchable`, `attributesNotInSchema`,
  ///   `pageTokenInvalid`, `storeFailed`.
  package nonisolated(nonsending) func listUsers(
    of poolID: String, filter: String?, attributes: [String]? = nil, limit: Int64?, token: String?,
    at now: Timestamp
  ) async throws(UserPoolError) -> Page<User> {
    let (size, text) = (PageTokens.size(limit), filter ?? "")
    let tokens = PageTokens("ListUsers", poolID, text, secrets: secrets)
    return try await store.read(at: now) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(poolID)
      let parsed = text.isEmpty ? nil : try UserFilter(text)
      guard (attributes ?? []).allSatisfy({ pool.attribute($0) != nil }) else { throw .attributesNotInSchema }
      let position = try tokens.name(token).flatMap { IndexPosition(text: $0) }
      guard position != nil || token == nil else { throw .pageTokenInvalid }
      let page = try UserScan(parsed, of: pool, limit: size).page(rows, after: position, limit: size)
      var next: String?
      if let position = page.next { next = try tokens.token(after: position.text) }
      return Page(elements: page.users, next: next)
    }
  }
}
