internal import TokenSecurityBase

/// The first request of a sign-in: `InitiateAuth`, or its parameters for `AdminInitiateAuth`.
public struct CognitoAuthRequest: Sendable, Hashable {
  /// `AuthFlow`.
  public var flow: String
  /// `ClientId`.
  public var clientID: String
  /// `AuthParameters`.
  public var parameters: CognitoParameters

  /// Creates a request.
  public init(flow: String, clientID: String, parameters: CognitoParameters) {
    self.flow = flow
    self.clientID = clientID
    self.parameters = parameters
  }

  /// The body of `AWSCognitoIdentityProviderService.InitiateAuth` (AWS JSON 1.1).
  public var json: [UInt8] {
    JSONWriter.write(
      [
        "AuthFlow": .string(flow), "ClientId": .string(clientID),
        "AuthParameters": CognitoMessages.value(parameters),
      ] as JSONObject)
  }
}

/// A challenge: the response to `InitiateAuth` or `RespondToAuthChallenge`.
public struct CognitoChallenge: Sendable, Hashable {
  /// `ChallengeName`.
  public var name: String
  /// `ChallengeParameters`.
  public var parameters: CognitoParameters
  /// `Session`, which the response contains too.
  public var session: String?

  /// Creates a challenge.
  public init(name: String, parameters: CognitoParameters, session: String? = nil) {
    self.name = name
    self.parameters = parameters
    self.session = session
  }

  /// Parses the body: at most ``CognitoParameters/challengeSizeLimit`` bytes and ``CognitoParameters/limit``
  /// parameters.
  ///
  /// - Parameter json: the body.
  /// - Throws: `messageTooLarge`, `messageMalformed`, `parametersTooMany`, `parameterMissing`.
  public init(json: [UInt8]) throws(SRPError) {
    let object = try CognitoMessages.object(json)
    try CognitoMessages.refuseError(object)
    name = try CognitoMessages.text(object, "ChallengeName")
    parameters = try CognitoMessages.texts(object, "ChallengeParameters")
    session = try CognitoMessages.optional(object, "Session")
  }

  func require(_ expected: String) throws(SRPError) {
    guard name == expected else { throw .challengeUnexpected(actual: name, expected: expected) }
  }
}

/// The response to a challenge: `RespondToAuthChallenge`.
public struct CognitoChallengeResponse: Sendable, Hashable {
  /// `ChallengeName`.
  public var name: String
  /// `ClientId`.
  public var clientID: String
  /// `ChallengeResponses`.
  public var responses: CognitoParameters
  /// `Session`.
  public var session: String?

  /// Creates a response.
  public init(name: String, clientID: String, responses: CognitoParameters, session: String? = nil) {
    self.name = name
    self.clientID = clientID
    self.responses = responses
    self.session = session
  }

  /// The body of `AWSCognitoIdentityProviderService.RespondToAuthChallenge` (AWS JSON 1.1).
  public var json: [UInt8] {
    var object: JSONObject = [
      "ChallengeName": .string(name), "ClientId": .string(clientID),
      "ChallengeResponses": CognitoMessages.value(responses),
    ]
    if let session { object["Session"] = .string(session) }
    return JSONWriter.write(object)
  }
}

/// Parsing and writing of the three messages' members.
enum CognitoMessages {
  static func object(_ json: [UInt8]) throws(SRPError) -> JSONObject {
    let limit = CognitoParameters.challengeSizeLimit
    guard json.count <= limit else { throw .messageTooLarge(size: json.count, limit: limit) }
    let value: JSONValue
    do { value = try JSONValue(parsing: json) } catch { throw .messageMalformed("\(error)") }
    guard let object = value.object else { throw .messageMalformed("it is not a JSON object") }
    return object
  }

  /// Refuses an error response of AWS, so that the pool's own error is not hidden by a missing member.
  static func refuseError(_ object: JSONObject) throws(SRPError) {
    guard object["ChallengeName"] == nil, let type = object["__type"]?.string else { return }
    let name = type.lastPart(at: "#")
    let message = (object["message"] ?? object["Message"])?.string ?? ""
    throw .messageMalformed("it is the error \(name.quoted): \(message.bounded(to: 300))")
  }

  static func text(_ object: JSONObject, _ name: String) throws(SRPError) -> String {
    guard let text = try optional(object, name) else { throw .parameterMissing(name) }
    return text
  }

  static func optional(_ object: JSONObject, _ name: String) throws(SRPError) -> String? {
    guard let value = object[name], value != .null else { return nil }
    guard let text = value.string else { throw .messageMalformed("\(name) is not a string") }
    return text
  }

  static func texts(_ object: JSONObject, _ name: String) throws(SRPError) -> CognitoParameters {
    guard let value = object[name] else { throw .parameterMissing(name) }
    guard let members = value.object?.members else { throw .messageMalformed("\(name) is not an object") }
    guard members.count <= CognitoParameters.limit else {
      throw .parametersTooMany(count: members.count, limit: CognitoParameters.limit)
    }
    var texts = CognitoParameters()
    for member in members {
      guard let text = member.value.string else {
        throw .messageMalformed("\(name) has a member that is not a string")
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
