internal import Records
internal import TokenSecurityBase

/// Wrong answers of second factors in a row, in the rows of users and devices. Whoever causes one has proved the
/// password, so that strangers cause none.
///
/// The caller's transaction must end without an error for an answer to be counted.
extension WriteTransaction<UserPoolError> {
  /// Counts a wrong code for its factor.
  ///
  /// - Parameters:
  ///   - factor: the factor.
  ///   - session: the session, whose user exists.
  ///   - pool: the pool.
  /// - Returns: the wrong codes in a row; nil where the user was removed.
  /// - Throws: `storeFailed`.
  func countWrongCode(
    of factor: SecondFactor, _ session: SignInSession, in pool: UserPool
  ) throws(UserPoolError) -> FactorFailures? {
    guard var user = try user(sub: session.sub, in: pool) else { return nil }
    let key = RecordKey(pool.id, FailureKind.factor.name, session.attemptKey)
    let earlier = try user.factorFailures.isEmpty ? get(UserPoolTables.attempts, key)?.count ?? 0 : 0
    let failures = user.countFailure(factor, earlier: earlier)
    try put(user)
    return failures
  }

  /// Forgets the wrong codes of a factor, after a right one.
  func forgetWrongCodes(
    of factor: SecondFactor, _ session: SignInSession, in pool: UserPool
  ) throws(UserPoolError) {
    guard var user = try user(sub: session.sub, in: pool), user.factorFailures[factor, default: 0] > 0
    else { return }
    user.open(factor)
    try put(user)
  }

  /// Settles the proof of a device, and counts a wrong one for the device.
  ///
  /// - Returns: why the answer is refused, as for ``settle(_:isRight:)``, and the wrong proofs in a row if this is one.
  /// - Throws: `sessionUsed`.
  func settleDevice(
    _ settlement: Settlement, isRight: Bool
  ) throws(UserPoolError) -> (refusal: UserPoolError?, failures: FactorFailures?) {
    let session = settlement.session
    var device: UserDevice?
    if let deviceKey = session.deviceKey {
      device = try get(UserPoolTables.devices, RecordKey(session.poolID, session.sub, deviceKey))
    }
    // Again: since the device was read other proofs may have failed.
    if device?.isClosed == true { return (.factorClosed(FactorFailures.device), nil) }
    let refusal = try settle(settlement, isRight: isRight)
    guard var device else { return (refusal, nil) }
    switch refusal {
    case nil:
      // Counted, too, and forgotten again: the transaction needs of the store what that of a wrong proof needs.
      _ = device.countFailure()
      try put(device, in: UserPoolTables.devices)
      device.failures = 0
      try put(device, in: UserPoolTables.devices)
      return (nil, nil)
    case .passwordWrong:
      let failures = device.countFailure()
      try put(device, in: UserPoolTables.devices)
      return (refusal, failures)
    default: return (refusal, nil)
    }
  }
}
