internal import AccessPolicies
internal import ArgumentParser
internal import TokenSecurityBase

/// The options that describe a request for access policies.
struct PolicyRequestOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Action of the request: s3:GetObject.", valueName: "action"))
  var action: String

  @Option(help: ArgumentHelp("ARN of the resource. Default: *.", valueName: "arn"))
  var resource: String?

  @Option(
    help: ArgumentHelp(
      "Value of a condition key. Repeated for further values and keys.", valueName: "key=value"))
  var context: [String] = []

  @Option(
    help: ArgumentHelp(
      "Caller: an ARN, KIND=NAME such as Service=sns.amazonaws.com, or anonymous. Needed with --resource-policy. Default: the one whose policies --policy are.",
      valueName: "principal"))
  var principal: String?

  @Option(
    help: ArgumentHelp(
      "Account of the resource, if it is not in its ARN. Default: the caller's.", valueName: "account"))
  var resourceAccount: String?

  /// The request.
  ///
  /// - Throws: `UsageError`.
  func request() throws -> AccessRequest {
    warn()
    return AccessRequest(
      principal: try caller(), action: action, resource: resource ?? "*", resourceAccount: resourceAccount,
      context: try keys())
  }

  /// Warns of what no request of AWS has. It is compared all the same: programs of one's own may have other names.
  private func warn() {
    let parts = action.parts(at: ":")
    if parts.count != 2 || parts.contains("") || action.utf8.contains(where: { "*? ".utf8.contains($0) }) {
      StandardError.warn(
        "--action",
        "\(action.quoted(upTo: 128)) is not the name of one action: SERVICE:NAME, such as s3:GetObject")
    }
    guard let resource, resource != "*" else { return }
    let isARN = resource.parts(at: ":", most: 6).count == 6 && resource.hasPrefix("arn:")
    if !isARN {
      StandardError.warn(
        "--resource", "\(resource.quoted(upTo: 128)) is neither * nor an ARN, such as arn:aws:s3:::files/a")
    }
  }

  private func caller() throws -> AccessPrincipal {
    guard let principal else { return .aws("") }
    guard principal != "anonymous" else { return .anonymous }
    guard !principal.hasPrefix("arn:") else { return .aws(principal) }
    let parts = principal.parts(at: "=", most: 2)
    guard parts.count == 2, let kind = AccessPrincipal.Kind(name: parts[0]) else {
      let kinds = AccessPrincipal.Kind.allCases.map(\.name).joined(separator: ", ")
      throw UsageError(
        "--principal \(principal.visible(upTo: 256)) is no ARN, not anonymous, and not KIND=NAME with one of \(kinds)",
        code: UsageError.optionsWrong)
    }
    return .other(kind, parts[1])
  }

  private func keys() throws -> AccessContext {
    var keys = AccessContext()
    for text in context {
      let parts = text.parts(at: "=", most: 2)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw UsageError(
          "--context \(text.visible(upTo: 256)) is not KEY=VALUE", code: UsageError.optionsWrong)
      }
      keys[parts[0]] = (keys[parts[0]] ?? []) + [parts[1]]
    }
    return keys
  }
}
