import SigV4

/// The query of a presigned URL: parsed, checked, linted, and refused, because it has no valid signature.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let query = Array(UnsafeBufferPointer(start: start, count: count))
  let head = RequestHead(
    method: "GET", path: [UInt8(ascii: "/")], query: query, headers: [HeaderField("Host", "api.example")])
  let now = Timestamp(seconds: 1_440_938_160)
  do {
    let lint = try PresignedLint(head, at: now)
    precondition(lint.request.parameters.placement == .query && lint.request.parameters.expires != nil)
    var policy = VerifierPolicy(service: "s3", region: "us-east-1", hosts: .oneOf(["api.example"]))
    policy.placements = [.query]
    policy.payloads = Set(PayloadBinding.allCases)
    policy.plusInQuery = query.count % 2 == 0 ? .plus : .space
    let verifier = try RequestVerifier(policy: policy)
    let pending = try verifier.parse(head, at: now)
    _ = try verifier.verifyLeavingBodyUnchecked(pending, key: nil, because: "there is none")
    preconditionFailure("a signature that nobody made holds")
  } catch {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  }
  return 0
}
