package import ServiceOperations
internal import TokenSecurityBase

/// The flows that a client allows.
extension UserPoolClient {
  /// Refuses a flow that is not enabled.
  ///
  /// - Parameter flow: the flow.
  /// - Throws: `flowNotEnabled`.
  package func check(_ flow: AuthFlowType) throws(UserPoolError) {
    guard !isAllowed(flow) else { return }
    switch flow {
    case .userPasswordAuth: throw .flowNotEnabled("USER_PASSWORD_AUTH flow not enabled for this client")
    case .adminNoSRPAuth, .adminUserPasswordAuth:
      throw .flowNotEnabled("Auth flow not enabled for this client")
    default: throw .flowNotEnabled("\(flow.name) is not enabled for the client.")
    }
  }

  private func isAllowed(_ flow: AuthFlowType) -> Bool {
    // Clients with flows of the older kind allow what such clients always allowed.
    let older: [AuthFlow] = [.adminNoSRP, .customFlowOnly, .userPassword]
    let isOlder = flows?.contains { older.contains($0) } ?? false
    return switch flow {
    case .userSRPAuth: isOlder ? !allows(.customFlowOnly) : allows(.allowUserSRP)
    case .customAuth: isOlder || allows(.allowCustom)
    case .refreshToken, .refreshTokenAuth: isOlder || allows(.allowRefreshToken)
    case .userPasswordAuth: allows(.userPassword) || allows(.allowUserPassword)
    case .adminNoSRPAuth, .adminUserPasswordAuth: allows(.adminNoSRP) || allows(.allowAdminUserPassword)
    case .userAuth: allows(.allowUser)
    }
  }
}
