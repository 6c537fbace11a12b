import CognitoIdentityClient
import SigV4

/// Requests as actions on resources, of any path, query and copy source. Nothing stops the process; a resource has no segment that
/// programs read in different ways, and the decoded path is no longer than the one that was sent.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
  let target = Array(lines.first ?? [])
  let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
  let head = RequestHead(
    method: lines.count > 2 ? String(decoding: lines[2], as: UTF8.self) : "PUT",
    path: Array(parts.first ?? []),
    query: parts.count > 1 ? Array(parts[1]) : [],
    headers: lines.count > 1 ? [HeaderField("X-Amz-Copy-Source", Array(lines[1]))] : [])
  var mappings: [AccessMapping] = [
    .s3, .executeAPI(ExecuteAPIForm(region: "eu-west-1", account: "1", api: "a", stage: nil)),
  ]
  let methods = ["GET", "PUT", "POST"].map { (method: $0, action: "orders:\($0)") }
  for resource in ["arn:aws:orders:::{path}", String(decoding: target, as: UTF8.self)] {
    do throws(AccessMappingError) {
      mappings.append(.template(try AccessTemplate(actions: methods, resource: resource, prefix: "")))
    } catch {
      precondition(!error.codeText.isEmpty && !error.description.isEmpty)
    }
  }
  for mapping in mappings {
    do throws(AccessMappingError) {
      let accesses = try mapping.accesses(of: head)
      precondition(!accesses.isEmpty)
      for access in accesses { precondition(!access.action.isEmpty) }
    } catch {
      precondition(!error.codeText.isEmpty && !error.description.isEmpty)
    }
  }
  if let path = try? ResourcePath(head.path) {
    precondition(!path.segments.isEmpty && path.text.utf8.count < max(1, head.path.count))
    for (index, segment) in path.segments.enumerated() {
      precondition(index + 1 == path.segments.count || !segment.isEmpty)
      precondition(!segment.utf8.contains(UInt8(ascii: "/")) && !segment.utf8.contains(0))
      precondition(segment != "." && segment != "..")
    }
  }
  return 0
}
