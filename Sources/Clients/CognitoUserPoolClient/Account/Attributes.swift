internal import ServiceOperations
public import TokenSecurityBase

/// A user as the service returns it.
public struct UserDetails: Sendable, Hashable {
  /// The user's name.
  public let username: String
  /// The attributes that the app client may read.
  public let attributes: [UserAttribute]
  /// The second factors that are on.
  public let mfa: MFAPreference

  /// Reads an attribute.
  ///
  /// - Parameter name: the attribute's name.
  /// - Returns: the value; nil for none.
  public subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}

extension UserPoolClient {
  /// `GetUser`: the signed-in user.
  ///
  /// - Parameter accessToken: the user's access token.
  /// - Returns: name, attributes and second factors.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func user(accessToken: String) async throws(UserPoolClientError) -> UserDetails {
    let output = try await calls.call(GetUser.self, accessToken: accessToken)
    return UserDetails(
      username: output.username, attributes: output.userAttributes.map { UserAttribute($0) },
      mfa: MFAPreference(enabled: output.userMFASettingList ?? [], preferred: output.preferredMFASetting))
  }

  /// `GetUser`: the signed-in user's attributes.
  ///
  /// - Parameter accessToken: the user's access token.
  /// - Returns: the attributes that the app client may read.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func attributes(accessToken: String) async throws(UserPoolClientError) -> [UserAttribute] {
    try await user(accessToken: accessToken).attributes
  }

  /// `UpdateUserAttributes`: sets attributes of the signed-in user. An empty value deletes the attribute.
  ///
  /// - Parameters:
  ///   - attributes: the attributes with their new values.
  ///   - accessToken: the user's access token.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Returns: where codes were sent, for ``verifyAttribute(_:code:accessToken:)``: a new address is not
  ///   verified.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  @discardableResult
  public func updateAttributes(
    _ attributes: [UserAttribute], accessToken: String, clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) -> [CodeDelivery] {
    let attributes = try attributes.asMember() ?? []
    let output = try await calls.call(UpdateUserAttributes.self, accessToken: accessToken) {
      $0.userAttributes = attributes
      $0.clientMetadata = clientMetadata.asMember
    }
    return (output.codeDeliveryDetailsList ?? []).map { CodeDelivery($0) }
  }

  /// `DeleteUserAttributes`: deletes attributes of the signed-in user.
  ///
  /// - Parameters:
  ///   - names: the names of the attributes.
  ///   - accessToken: the user's access token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func deleteAttributes(_ names: [String], accessToken: String) async throws(UserPoolClientError) {
    _ = try await calls.call(DeleteUserAttributes.self, accessToken: accessToken) {
      $0.userAttributeNames = names
    }
  }

  /// `GetUserAttributeVerificationCode`: sends a code with which the signed-in user verifies an address.
  ///
  /// - Parameters:
  ///   - attribute: `email` or `phone_number`.
  ///   - accessToken: the user's access token.
  ///   - clientMetadata: texts for the pool's triggers. Default: none.
  /// - Returns: where the code was sent.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func attributeVerificationCode(
    for attribute: String, accessToken: String, clientMetadata: [ExactString: String] = [:]
  ) async throws(UserPoolClientError) -> CodeDelivery {
    let output = try await calls.call(GetUserAttributeVerificationCode.self, accessToken: accessToken) {
      $0.attributeName = attribute
      $0.clientMetadata = clientMetadata.asMember
    }
    return CodeDelivery(try calls.present(output.codeDeliveryDetails, "CodeDeliveryDetails"))
  }

  /// `VerifyUserAttribute`: verifies an address of the signed-in user.
  ///
  /// - Parameters:
  ///   - attribute: `email` or `phone_number`.
  ///   - code: the code that was sent there.
  ///   - accessToken: the user's access token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func verifyAttribute(
    _ attribute: String, code: String, accessToken: String
  ) async throws(UserPoolClientError) {
    _ = try await calls.call(VerifyUserAttribute.self, accessToken: accessToken) {
      $0.attributeName = attribute
      $0.code = code
    }
  }
}
