internal import ServiceOperations

// Operations in the style of user pools and of data synchronisation, with every kind of member.

let sampleUsers = ServiceDeclaration(
  "Users", signingName: "cognito-idp", .json(targetPrefix: "AWSCognitoIdentityProviderService"),
  [SignUp.self, RespondToAuthChallenge.self, Everything.self])

let sampleForms = ServiceDeclaration(
  "Forms", signingName: "forms", .query(version: "2020-01-01", namespace: "https://forms.example/"),
  [Forms.self])

extension TextBounds {
  static let clientID = TextBounds(1...128, #"[\w+]+"#)
  static let username = TextBounds(1...128, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#).sensitive
  static let password = TextBounds(...256, #"[\S]+"#).sensitive
  static let userCode = TextBounds(6...6, #"[0-9]+"#)
  static let session = TextBounds(20...2_048).sensitive
  static let syncID = TextBounds(1...55, #"[\w:-]+"#)
  static let dataset = TextBounds(1...128, #"[a-zA-Z0-9_.:-]+"#)
}

enum SignUp: ServiceOperation {
  static let declaration = OperationDeclaration("SignUp", .anyone, "Registers a user.")

  struct Input: Structure {
    var clientID = ""
    var username = ""
    var password: SecretText?
    var attributes: [Attribute]?
    var metadata: [ExactString: String]?

    mutating func members(_ m: inout Members) {
      m.required("ClientId", &clientID, .clientID)
      m.required("Username", &username, .username)
      m.optional("Password", &password, .password)
      m.optional("UserAttributes", &attributes, .init())
      m.optional("ClientMetadata", &metadata, .init(keys: .any, values: TextBounds(...131_072)))
    }
  }

  struct Attribute: Structure {
    var name = ""
    var value: String?

    mutating func members(_ m: inout Members) {
      m.required("Name", &name, TextBounds(1...32, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#))
      m.optional("Value", &value, TextBounds(...2_048).sensitive)
    }
  }

  struct Output: Structure {
    var isConfirmed = false
    var sub = ""

    mutating func members(_ m: inout Members) {
      m.required("UserConfirmed", &isConfirmed)
      m.required("UserSub", &sub, .any)
    }
  }
}

enum RespondToAuthChallenge: ServiceOperation {
  static let declaration = OperationDeclaration("RespondToAuthChallenge", .anyone, "Answers a challenge.")

  enum Challenge: ExactString, MemberChoice {
    case passwordVerifier = "PASSWORD_VERIFIER"
    case newPassword = "NEW_PASSWORD_REQUIRED"
    case softwareToken = "SOFTWARE_TOKEN_MFA"
  }

  struct Input: Structure {
    var clientID = ""
    var challenge = Challenge.passwordVerifier
    var session: SecretText?
    var responses: [ExactString: SecretText]?
    var userCode: String?

    mutating func members(_ m: inout Members) {
      m.required("ClientId", &clientID, .clientID)
      m.required("ChallengeName", &challenge)
      m.optional("Session", &session, .session)
      m.optional(
        "ChallengeResponses", &responses,
        .init(keys: .any, values: TextBounds(...131_072).sensitive, isSensitive: true))
      m.optional("UserCode", &userCode, .userCode)
    }
  }
}

enum Everything: ServiceOperation {
  static let declaration = OperationDeclaration("Everything", .anyone, "Has every kind of member.")
  typealias Output = Input

  struct Input: Structure {
    var text: String?
    var short: Int64?
    var long: Int64?
    var flag: Bool?
    var instant: Timestamp?
    var blob: Blob?
    var secret: SecretText?
    var choice: RespondToAuthChallenge.Challenge?
    var inner: Inner?
    var list: [String]?
    var lists: [[Int64]]?
    var inners: [Inner]?
    var map: [ExactString: Int64]?
    var innerMap: [ExactString: Inner]?
    var bytes: String?

    mutating func members(_ m: inout Members) {
      m.optional("Text", &text, .any)
      m.optional("Short", &short, .integer)
      m.optional("Long", &long, .long)
      m.optional("Flag", &flag)
      m.optional("Instant", &instant)
      m.optional("Blob", &blob, .init(1...8))
      m.optional("Secret", &secret, .any.sensitive)
      m.optional("Choice", &choice)
      m.optional("Inner", &inner)
      m.optional("List", &list, .init(1...3, of: TextBounds(1...4, #"[a-z]+"#)))
      m.optional("Lists", &lists, .init(of: .init(of: .integer(1...9))))
      m.optional("Inners", &inners, .init(0...4))
      m.optional("Map", &map, .init(0...4, keys: TextBounds(1...4), values: .integer(1...9)))
      m.optional("InnerMap", &innerMap, .init(0...4, keys: TextBounds(1...4)))
      m.optional("Bytes", &bytes, TextBounds(...4, in: .bytes))
    }
  }

  struct Inner: Structure {
    var id = ""
    var deeper: Deeper?

    mutating func members(_ m: inout Members) {
      m.required("Id", &id, TextBounds(1...4))
      m.optional("Deeper", &deeper)
    }
  }

  struct Deeper: Structure {
    var numbers: [Int64]?
    var isOn = false

    mutating func members(_ m: inout Members) {
      m.optional("Numbers", &numbers, .init(of: .integer))
      m.required("On", &isOn)
    }
  }
}

enum Forms: ServiceOperation {
  static let declaration = OperationDeclaration(
    "Forms", .anyone, "Has lists and maps in a form.", refusesUnknownMembers: true)
  typealias Output = Input

  struct Input: Structure {
    var name: String?
    var count: Int64?
    var flag: Bool?
    var instant: Timestamp?
    var list: [String]?
    var inners: [SignUp.Attribute]?
    var map: [ExactString: String]?
    var inner: SignUp.Attribute?

    mutating func members(_ m: inout Members) {
      m.optional("Name", &name, .any)
      m.optional("Count", &count, .integer(1...9))
      m.optional("Flag", &flag)
      m.optional("Instant", &instant)
      m.optional("List", &list, .init(of: TextBounds(1...8)))
      m.optional("Inners", &inners, .init())
      m.optional("Map", &map, .init(keys: TextBounds(1...8), values: TextBounds(1...8)))
      m.optional("Inner", &inner)
    }
  }
}

/// Routes a request to an operation and reads its input.
func read<Operation: ServiceOperation>(
  _ operation: Operation.Type, _ body: String, of service: ServiceDeclaration = sampleUsers
) throws(OperationError) -> Operation.Input {
  try read(operation, Array(body.utf8), of: service)
}

func read<Operation: ServiceOperation>(
  _ operation: Operation.Type, _ body: [UInt8], of service: ServiceDeclaration = sampleUsers
) throws(OperationError) -> Operation.Input {
  let head = OperationRequestHead(
    method: "POST", target: "/",
    headers: [
      (name: "x-amz-target", value: "AWSCognitoIdentityProviderService.\(operation.declaration.name)")
    ])
  guard let route = try OperationRouter(service).route(head) else {
    throw .operationUnknown("a form")
  }
  return try operation.input(route, body)
}

/// The message of a refusal; empty for a request that is not refused.
func refusal(_ operation: (some ServiceOperation).Type, _ body: String) -> String {
  do throws(OperationError) {
    _ = try read(operation, body)
    return ""
  } catch {
    return error.publicMessage
  }
}
