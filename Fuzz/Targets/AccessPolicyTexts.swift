internal import AccessPolicies
internal import TokenSecurityBase

/// Policy documents of each kind, and requests to them: no text stops the process, an explanation decides as the decision does, and policies that
/// limit others never allow more.
///
/// The document ends with a zero byte. Lines follow: the action, the resource, the caller, and keys with values.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  let request = request(parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "")
  for kind in AccessPolicyKind.allCases {
    do throws(AccessPolicyError) {
      let policy = try AccessPolicy(json: Array(parts[0]), name: "p", kind: kind)
      for warning in policy.warnings { check(warning.place, parts[0]) }
      decide(policy, request)
    } catch {
      precondition(!error.codeText.isEmpty && !error.description.isEmpty)
      check(error.place, parts[0])
    }
  }
  return 0
}

private func check(_ place: TextPosition, _ text: ArraySlice<UInt8>) {
  let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
  precondition((1...lines).contains(place.line) && (1...text.count + 1).contains(place.column))
}

private func decide(_ policy: AccessPolicy, _ request: AccessRequest) {
  let isIdentity = policy.kind == .identity
  let set = isIdentity ? PolicySet(identity: [policy]) : PolicySet(resource: [policy])
  let decision = set.decide(request)
  precondition(set.explain(request).decision == decision && !decision.sentence.isEmpty)
  guard isIdentity else { return }
  var limited = set
  limited.boundary = [policy]
  limited.session = [policy]
  precondition(limited.decide(request).outcome == decision.outcome)
  guard let deny else { return }
  limited.boundary = [deny]
  precondition(limited.decide(request).outcome == .explicitDeny)
}

private let deny = try? AccessPolicy(
  json: #"{"Statement": {"Effect": "Deny", "NotAction": "a:a", "Resource": "*"}}"#, name: "deny",
  kind: .identity)

private func request(_ text: String) -> AccessRequest {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  func line(_ index: Int, _ standard: String) -> String { index < lines.count ? lines[index] : standard }
  var context = AccessContext()
  for text in lines.dropFirst(3) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    context[parts[0]] = (context[parts[0]] ?? []) + [parts.last ?? ""]
  }
  let action = line(0, "s3:GetObject")
  return AccessRequest(
    principal: .aws(line(2, "arn:aws:iam::123456789012:user/jo")),
    action: action.lowercased() == "a:a" ? "s3:GetObject" : action, resource: line(1, "arn:aws:s3:::files/a"),
    context: context)
}
