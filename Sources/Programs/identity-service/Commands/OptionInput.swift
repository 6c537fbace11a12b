internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// The members of an operation's input, and the options or arguments that gave them.
struct OptionInput: Sendable {
  /// The members.
  var members: JSONObject
  /// The options with their values. Secrets are left out.
  private var given: [(path: String, option: String, text: String?)] = []
  /// The file of `--settings`, whose members no option gave.
  var file: String?

  /// Members that no option gave: those of a file, or present settings.
  init(_ members: JSONObject = [:], file: String? = nil) {
    self.members = members
    self.file = file
  }

  /// One member, for refusals of calls that have no input.
  static func named(_ member: String, _ option: String, _ text: String) -> OptionInput {
    var input = OptionInput()
    input.note(member, option, text)
    return input
  }

  /// Sets a member if there is a value.
  ///
  /// - Parameters:
  ///   - path: the member, such as `Policies.PasswordPolicy.MinimumLength`.
  ///   - option: the option, `--pool`, or the argument, `<name>`.
  ///   - value: the value.
  mutating func set(_ path: String, _ option: String, _ value: JSONValue?) {
    guard let value else { return }
    note(path, option, value.string ?? "\(value)")
    members.set(path.parts(at: ".")[...], to: value)
  }

  /// Sets a member to a text if there is one.
  mutating func set(_ path: String, _ option: String, text: String?) {
    set(path, option, text.map { .string($0) })
  }

  /// Sets a member to a list unless it is empty.
  mutating func set(_ path: String, _ option: String, texts: [String]) {
    guard !texts.isEmpty else { return }
    members.set(path.parts(at: ".")[...], to: .array(texts.map { .string($0) }))
    note(path, option, texts.joined(separator: ", "))
  }

  /// Notes the option of a member that is set otherwise.
  mutating func note(_ path: String, _ option: String, _ text: String?) { given.append((path, option, text)) }

  /// Calls a closure. Refusals that name members name the options instead.
  func explaining<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let error as any CodedError {
      guard let sentence = sentence(error) else { throw error }
      throw OptionRefusal(cause: error, sentence: sentence)
    }
  }

  /// The sentence about the options that gave what an error refuses; nil for another error.
  private func sentence(_ error: any CodedError) -> String? {
    switch error {
    case UserPoolError.request(.validation(let violations)),
      IdentityError.request(.validation(let violations)), SyncError.request(.validation(let violations)):
      var sentences: [String] = []
      for violation in violations {
        let found = sentence(violation.path, MemberRules.rule(of: violation)) ?? sentenceOfFile(violation)
        guard let found else { return nil }
        // A value may break several constraints, and the rule has all of them.
        if !sentences.contains(where: { $0.isIdentical(to: found) }) { sentences.append(found) }
      }
      return sentences.joined(separator: "; ")
    case UserPoolError.parameterRefused(let member, let rule),
      IdentityError.parameterRefused(let member, let rule), SyncError.parameterRefused(let member, let rule):
      return sentence(member, rule)
    case let error as UserPoolError:
      return MemberRules.member(of: error).flatMap { sentence($0.name, $0.rule) }
    default: return nil
    }
  }

  /// The sentence about a member of the file.
  private func sentenceOfFile(_ violation: Violation) -> String? {
    guard let file else { return nil }
    let names = violation.path.parts(at: ".").map { name in
      name.isIdentical(to: "member") ? name : name.prefix(1).uppercased() + name.dropFirst()
    }
    let value = if case .shown(let text) = violation.value { " \(text.quoted(upTo: 256))" } else { "" }
    return "\(file): \(names.joined(separator: "."))\(value): \(MemberRules.constraint(of: violation))"
  }

  private func sentence(_ path: String, _ rule: String) -> String? {
    let path = ExactString(path.lowercasedASCII)
    let found = given.last { one in
      let own = one.path.lowercasedASCII
      return path == ExactString(own) || path.text.hasPrefix(own + ".") || own.hasSuffix(".\(path)")
    }
    return found.map { one in
      "\(one.option)\(one.text.map { " \($0.quoted(upTo: 256))" } ?? ""): \(rule)"
    }
  }
}

extension JSONObject {
  /// Sets a member of nested objects.
  mutating func set(_ path: ArraySlice<String>, to value: JSONValue) {
    guard let name = path.first else { return }
    guard path.count > 1 else {
      self[name] = value
      return
    }
    var inner = self[name]?.object ?? JSONObject()
    inner.set(path.dropFirst(), to: value)
    self[name] = .object(inner)
  }

  /// A member of nested objects.
  func value(at path: ArraySlice<String>) -> JSONValue? {
    guard let name = path.first, let value = self[name] else { return nil }
    return path.count == 1 ? value : value.object?.value(at: path.dropFirst())
  }

  /// Removes a member of nested objects.
  mutating func remove(_ path: ArraySlice<String>) {
    guard let name = path.first else { return }
    guard path.count > 1 else {
      self[name] = nil
      return
    }
    guard var inner = self[name]?.object else { return }
    inner.remove(path.dropFirst())
    self[name] = .object(inner)
  }
}
