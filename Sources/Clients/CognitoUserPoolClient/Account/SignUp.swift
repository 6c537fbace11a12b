internal import ServiceOperations
public import TokenSecurityBase
public import TokenSecurityCrypto

/// The session of a sign-up. After the confirmation it signs the user in once, without a password
/// (`USER_AUTH`).
public struct SignUpSession: Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  init(_ text: String) { self.text = text }

  /// Nothing of the session: who has it can sign in.
  public var description: String { "***" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The result of a sign-up.
public struct SignUpResult: Sendable {
  /// True if the user needs no confirmation.
  public let isConfirmed: Bool
  /// The user's id, the `sub` of tokens.
  public let sub: String
  /// Where the code for the confirmation was sent; nil if none was sent.
  public let delivery: CodeDelivery?
  /// The session; nil for clients without the flow `USER_AUTH`.
  public let session: SignUpSession?
}

extension UserPoolClient {
  /// `SignUp`: makes a user. Unless the result is confirmed, the user gets a code for
  /// ``confirmSignUp(username:code:forceAlias:session:clientMetadata:)``.
  ///
  /// - Parameters:
  ///   - username: the user's name; an address in pools where it is the name.
  ///   - password: the password.
  ///   - attributes: the user's attributes. Default: none.
  ///   - validationData: data for the pool's trigger before a sign-up; it is not kept. Default: none.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Returns: whether the user is confirmed, and where the code was sent.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func signUp(
    username: String, password: borrowing SecretBytes, attributes: [UserAttribute] = [],
    validationData: [UserAttribute] = [], clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) -> SignUpResult {
    try await signUp(username, try password.asMember(), attributes, validationData, clientMetadata)
  }

  /// `SignUp` without a password, for pools in which users sign in with codes.
  ///
  /// - Parameters:
  ///   - username: the user's name; an address in pools where it is the name.
  ///   - attributes: the user's attributes. Default: none.
  ///   - validationData: data for the pool's trigger before a sign-up; it is not kept. Default: none.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Returns: whether the user is confirmed, and where the code was sent.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func signUpWithoutPassword(
    username: String, attributes: [UserAttribute] = [], validationData: [UserAttribute] = [],
    clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) -> SignUpResult {
    try await signUp(username, nil, attributes, validationData, clientMetadata)
  }

  private func signUp(
    _ username: String, _ password: SecretText?, _ attributes: [UserAttribute],
    _ validationData: [UserAttribute], _ clientMetadata: [ExactString: String]
  ) async throws(UserPoolClientError) -> SignUpResult {
    let attributes = try attributes.asMember()
    let validationData = try validationData.asMember()
    let output = try await calls.call(SignUp.self, username: username) {
      $0.password = password
      $0.userAttributes = attributes
      $0.validationData = validationData
      $0.clientMetadata = clientMetadata.asMember
    }
    return SignUpResult(
      isConfirmed: output.userConfirmed, sub: output.userSub,
      delivery: output.codeDeliveryDetails.map { CodeDelivery($0) },
      session: output.session.map { SignUpSession($0) })
  }

  /// `ConfirmSignUp`: confirms a sign-up with the code that the user got.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - code: the code.
  ///   - forceAlias: true to take the address over from another user who has it as an alias; false to refuse
  ///     that. Default: the service's choice, which refuses it.
  ///   - session: the session of the sign-up, to get one that signs the user in. Default: none.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Returns: a session that signs the user in; nil without the session of the sign-up, and for clients without the
  ///   flow `USER_AUTH`.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  @discardableResult
  public func confirmSignUp(
    username: String, code: String, forceAlias: Bool? = nil, session: SignUpSession? = nil,
    clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) -> SignUpSession? {
    let output = try await calls.call(ConfirmSignUp.self, username: username) {
      $0.confirmationCode = code
      $0.forceAliasCreation = forceAlias
      $0.session = session?.text
      $0.clientMetadata = clientMetadata.asMember
    }
    return output.session.map { SignUpSession($0) }
  }

  /// `ResendConfirmationCode`: sends another code for a sign-up. The earlier one is no longer accepted.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Returns: where the code was sent.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  @discardableResult
  public func resendConfirmationCode(
    username: String, clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) -> CodeDelivery {
    let output = try await calls.call(ResendConfirmationCode.self, username: username) {
      $0.clientMetadata = clientMetadata.asMember
    }
    return CodeDelivery(try calls.present(output.codeDeliveryDetails, "CodeDeliveryDetails"))
  }
}
