public import SecureRemotePassword
internal import TokenSecurityEncodings

/// The first request of a sign-in: `InitiateAuth`, or its parameters for `AdminInitiateAuth`.
public struct CognitoAuthRequest: Sendable, Hashable {
  /// `AuthFlow`.
  public var flow: String
  /// `ClientId`.
  public var clientID: String
  /// `AuthParameters`.
  public var parameters: CognitoParameters

  public init(flow: String, clientID: String, parameters: CognitoParameters) {
    self.flow = flow
    self.clientID = clientID
    self.parameters = parameters
  }

  /// The body of `AWSCognitoIdentityProviderService.InitiateAuth`, JSON of Amazon's protocol version 1.1.
  public var json: [UInt8] {
    JSONWriter.write(
      [
        "AuthFlow": .string(flow), "ClientId": .string(clientID),
        "AuthParameters": CognitoMessages.value(parameters),
      ] as JSONObject)
  }

  /// Reads such a body: at most ``CognitoParameters/requestSizeLimit`` bytes and ``CognitoParameters/limit`` parameters.
  ///
  /// Throws `messageTooLarge`, `messageMalformed`, `parametersTooMany`, `parameterMissing`.
  public init(json: [UInt8]) throws(SRPError) {
    let object = try CognitoMessages.object(json, limit: CognitoParameters.requestSizeLimit)
    flow = try CognitoMessages.text(object, "AuthFlow")
    clientID = try CognitoMessages.text(object, "ClientId")
    parameters = try CognitoMessages.texts(object, "AuthParameters")
  }
}

/// What a server asks for next.
public struct CognitoChallenge: Sendable, Hashable {
  /// `ChallengeName`.
  public var name: String
  /// `ChallengeParameters`.
  public var parameters: CognitoParameters
  /// `Session`, which the answer carries back.
  public var session: String?

  public init(name: String, parameters: CognitoParameters, session: String? = nil) {
    self.name = name
    self.parameters = parameters
    self.session = session
  }

  /// The body of an answer to `InitiateAuth` or `RespondToAuthChallenge`.
  public var json: [UInt8] {
    var object: JSONObject = [
      "ChallengeName": .string(name), "ChallengeParameters": CognitoMessages.value(parameters),
    ]
    if let session { object["Session"] = .string(session) }
    return JSONWriter.write(object)
  }

  /// Reads such a body: at most ``CognitoParameters/challengeSizeLimit`` bytes and ``CognitoParameters/limit`` parameters.
  ///
  /// Throws `messageTooLarge`, `messageMalformed`, `parametersTooMany`, `parameterMissing`.
  public init(json: [UInt8]) throws(SRPError) {
    let object = try CognitoMessages.object(json, limit: CognitoParameters.challengeSizeLimit)
    name = try CognitoMessages.text(object, "ChallengeName")
    parameters = try CognitoMessages.texts(object, "ChallengeParameters")
    session = try CognitoMessages.optional(object, "Session")
  }

  func require(_ expected: String) throws(SRPError) {
    guard name == expected else { throw .challengeUnexpected(actual: name, expected: expected) }
  }

  func parameter(_ name: String) throws(SRPError) -> String {
    guard let value = parameters[name] else { throw .parameterMissing(name) }
    return value
  }
}

/// The answer to a challenge: `RespondToAuthChallenge`.
public struct CognitoChallengeResponse: Sendable, Hashable {
  /// `ChallengeName`.
  public var name: String
  /// `ClientId`.
  public var clientID: String
  /// `ChallengeResponses`.
  public var responses: CognitoParameters
  /// `Session`.
  public var session: String?

  public init(name: String, clientID: String, responses: CognitoParameters, session: String? = nil) {
    self.name = name
    self.clientID = clientID
    self.responses = responses
    self.session = session
  }

  /// The body of `AWSCognitoIdentityProviderService.RespondToAuthChallenge`, JSON of Amazon's protocol version 1.1.
  public var json: [UInt8] {
    var object: JSONObject = [
      "ChallengeName": .string(name), "ClientId": .string(clientID),
      "ChallengeResponses": CognitoMessages.value(responses),
    ]
    if let session { object["Session"] = .string(session) }
    return JSONWriter.write(object)
  }

  /// Reads such a body: at most ``CognitoParameters/requestSizeLimit`` bytes and ``CognitoParameters/limit`` parameters.
  ///
  /// Throws `messageTooLarge`, `messageMalformed`, `parametersTooMany`, `parameterMissing`.
  public init(json: [UInt8]) throws(SRPError) {
    let object = try CognitoMessages.object(json, limit: CognitoParameters.requestSizeLimit)
    name = try CognitoMessages.text(object, "ChallengeName")
    clientID = try CognitoMessages.text(object, "ClientId")
    responses = try CognitoMessages.texts(object, "ChallengeResponses")
    session = try CognitoMessages.optional(object, "Session")
  }

  func require(_ expected: String) throws(SRPError) {
    guard name == expected else { throw .challengeUnexpected(actual: name, expected: expected) }
  }

  func response(_ name: String) throws(SRPError) -> String {
    guard let value = responses[name] else { throw .parameterMissing(name) }
    return value
  }
}

/// Members of the three messages.
enum CognitoMessages {
  static func object(_ json: [UInt8], limit: Int) throws(SRPError) -> JSONObject {
    guard json.count <= limit else { throw .messageTooLarge(size: json.count, limit: limit) }
    let value: JSONValue
    do { value = try JSONValue(parsing: json) } catch { throw .messageMalformed("\(error)") }
    guard let object = value.object else { throw .messageMalformed("it is no JSON object") }
    return object
  }

  static func text(_ object: JSONObject, _ name: String) throws(SRPError) -> String {
    guard let text = try optional(object, name) else { throw .parameterMissing(name) }
    return text
  }

  static func optional(_ object: JSONObject, _ name: String) throws(SRPError) -> String? {
    guard let value = object[name], value != .null else { return nil }
    guard let text = value.string else { throw .messageMalformed("\(name) is no text") }
    return text
  }

  static func texts(_ object: JSONObject, _ name: String) throws(SRPError) -> CognitoParameters {
    guard let value = object[name] else { throw .parameterMissing(name) }
    guard let members = value.object?.members else { throw .messageMalformed("\(name) is no object") }
    guard members.count <= CognitoParameters.limit else {
      throw .parametersTooMany(count: members.count, limit: CognitoParameters.limit)
    }
    var texts = CognitoParameters()
    for member in members {
      guard let text = member.value.string else {
        throw .messageMalformed("\(name) has a member that is no text")
      }
      texts[member.name] = text
    }
    return texts
  }

  static func value(_ texts: CognitoParameters) -> JSONValue {
    var object = JSONObject()
    for name in texts.names { object[name] = texts[name].map(JSONValue.string) }
    return .object(object)
  }
}
