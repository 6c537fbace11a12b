internal import Records

/// Reads of what a call concerns, which also name it for logs.
extension ReadTransaction<UserPoolError> {
  /// Returns a pool.
  ///
  /// - Throws: `poolUnknown`.
  func existingPool(_ id: String, naming subject: CallSubject) throws(UserPoolError) -> UserPool {
    let pool = try existingPool(id)
    subject.isPool(pool.id)
    return pool
  }

  /// Returns the user that an administrator names, as ``user(named:in:)``, and the pool.
  ///
  /// - Throws: `poolUnknown`, `userUnknown`.
  func existingUser(
    named name: String, inPool id: String, naming subject: CallSubject
  ) throws(UserPoolError) -> (pool: UserPool, user: User) {
    let pool = try existingPool(id, naming: subject)
    let user = try existingUser(named: name, in: pool)
    subject.isUser(user)
    return (pool, user)
  }
}
