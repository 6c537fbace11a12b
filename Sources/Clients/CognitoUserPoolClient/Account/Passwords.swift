internal import ServiceOperations
public import TokenSecurityBase
public import TokenSecurityCrypto

extension SecretBytes {
  /// The password as a member of a request.
  borrowing func asMember() throws(UserPoolClientError) -> SecretText {
    guard let text = withBytes({ SecretText($0) }) else {
      throw .inputInvalid(rule: "the password is not UTF-8")
    }
    return text
  }
}

extension UserPoolClient {
  /// `ForgotPassword`: sends a code with which the user sets a new password.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Returns: where the code was sent. A pool that hides which users exist makes it up for unknown ones.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func forgotPassword(
    username: String, clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) -> CodeDelivery {
    let output = try await calls.call(ForgotPassword.self, username: username) {
      $0.clientMetadata = clientMetadata.asMember
    }
    return CodeDelivery(try calls.present(output.codeDeliveryDetails, "CodeDeliveryDetails"))
  }

  /// `ConfirmForgotPassword`: sets a new password with the code of ``forgotPassword(username:clientMetadata:)``.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - code: the code.
  ///   - password: the new password.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func confirmForgotPassword(
    username: String, code: String, password: borrowing SecretBytes,
    clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) {
    let password = try password.asMember()
    _ = try await calls.call(ConfirmForgotPassword.self, username: username) {
      $0.confirmationCode = code
      $0.password = password
      $0.clientMetadata = clientMetadata.asMember
    }
  }

  /// `ChangePassword`: changes the password of the signed-in user.
  ///
  /// - Parameters:
  ///   - old: the present password.
  ///   - new: the new password.
  ///   - accessToken: the user's access token.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func changePassword(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, accessToken: String
  ) async throws(UserPoolClientError) {
    let old = try old.asMember()
    let new = try new.asMember()
    _ = try await calls.call(ChangePassword.self, accessToken: accessToken) {
      $0.previousPassword = old
      $0.proposedPassword = new
    }
  }

  /// `ChangePassword`: sets the first password of a signed-in user who has none.
  ///
  /// - Parameters:
  ///   - password: the new password.
  ///   - accessToken: the user's access token.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func setFirstPassword(
    _ password: borrowing SecretBytes, accessToken: String
  ) async throws(UserPoolClientError) {
    let password = try password.asMember()
    _ = try await calls.call(ChangePassword.self, accessToken: accessToken) {
      $0.proposedPassword = password
    }
  }
}
