internal import CognitoUserPoolClient
internal import OneTimeCodes
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A sign-in, one step per line.
struct SteppedSignIn: ~Copyable {
  private var step: SignInStep?

  /// Begins a sign-in.
  mutating func begin(_ sessions: UserPoolSessions, _ question: Question) async throws -> JSONObject {
    step = nil
    return take(try await sessions.signIn(username: question.text("username"), options: question.options))
  }

  /// Answers the step.
  mutating func answer(_ question: Question, _ sessions: UserPoolSessions) async throws -> JSONObject {
    guard let step = step.take() else { return ["error": "order"] }
    let code = question.text("code")
    let outcome: SignInOutcome
    switch consume step {
    case .password(let step): outcome = try await step.answer(question.secret("password"))
    case .smsCode(let step): outcome = try await step.answer(code)
    case .emailCode(let step): outcome = try await step.answer(code)
    case .softwareTokenCode(let step): outcome = try await step.answer(code)
    case .chooseFactor(let step):
      let method = MFAMethod(rawValue: ExactString(question.text("factor"))) ?? .softwareToken
      outcome = try await step.choose(method)
    case .setUpFactor(let step): outcome = try await step.setUpSoftwareToken()
    case .setUpSoftwareToken(let step):
      outcome = try await step.answer(code, deviceName: question.object["name"]?.string)
    case .newPassword(let step):
      outcome = try await step.answer(
        question.secret("password"), attributes: question.attributes("attributes"))
    case .custom(let step): outcome = try await step.answer(question.text("answer"))
    case .chooseFirstFactor(let step):
      let factor = FirstFactor(rawValue: ExactString(question.text("factor"))) ?? .password
      outcome = try await step.choose(factor)
    case .done(let signedIn):
      let tokens = try await sessions.keep(signedIn)
      return [
        "step": "kept", "username": .string(tokens.username), "sub": .string(tokens.subject),
        "access": .string(tokens.accessToken), "id": .string(tokens.idToken),
      ]
    }
    switch consume outcome {
    case .next(let next): return take(next)
    case .again(let same, let error):
      var answer = take(same)
      answer["again"] = .string(error.codeText)
      if case .refused(let type, _) = error { answer["type"] = .string(type) }
      return answer
    }
  }

  /// Keeps a step, and describes it.
  private mutating func take(_ next: consuming SignInStep) -> JSONObject {
    let description = Self.describe(next)
    step = consume next
    return description
  }

  private static func describe(_ step: borrowing SignInStep) -> JSONObject {
    switch step {
    case .password(let step): return ["step": "password", "username": .string(step.username)]
    case .smsCode(let step): return ["step": "sms", "delivery": step.delivery?.json ?? .null]
    case .emailCode(let step): return ["step": "email", "delivery": step.delivery?.json ?? .null]
    case .softwareTokenCode(let step):
      return ["step": "software_token", "name": step.deviceName.map { .string($0) } ?? .null]
    case .chooseFactor(let step):
      return ["step": "choose", "available": .array(step.available.map { .string($0.rawValue.text) })]
    case .setUpFactor(let step):
      return ["step": "set_up", "available": .array(step.available.map { .string($0.rawValue.text) })]
    case .setUpSoftwareToken(let step):
      return ["step": "set_up_software_token", "secret": step.secret.base32().json]
    case .newPassword(let step):
      return [
        "step": "new_password", "required": .array(step.requiredAttributes.map { .string($0) }),
        "attributes": .array(step.attributes.map { .string($0.name) }),
      ]
    case .custom(let step):
      var parameters = JSONObject()
      for (name, value) in step.parameters { parameters[name.text] = .string(value) }
      return ["step": "custom", "parameters": .object(parameters)]
    case .chooseFirstFactor(let step):
      return ["step": "choose_first", "available": .array(step.available.map { .string($0.rawValue.text) })]
    case .done(let signedIn):
      return ["step": "done", "device": signedIn.device.key.map { .string($0) } ?? .null]
    }
  }
}

extension Question {
  fileprivate var options: SignInOptions {
    var validation: [ExactString: String] = [:]
    for attribute in attributes("validation") { validation[ExactString(attribute.name)] = attribute.value }
    return SignInOptions(
      flow: flow, validationData: validation, clientMetadata: metadata,
      deviceName: object["device_name"]?.string)
  }

  private var flow: SignInFlow {
    switch text("flow") {
    case "password": .password
    case "choice": .choice(preferred: FirstFactor(rawValue: ExactString(text("preferred"))))
    case "custom": .custom(withPassword: flag("with_password") ?? false)
    default: .passwordSRP
    }
  }
}
