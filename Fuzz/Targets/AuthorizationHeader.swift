import SigV4

/// The header Authorization in a request that is otherwise valid.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var head = RequestHead("GET", "/", headers: ["Host": "api.example", "X-Amz-Date": "20150830T123600Z"])
  head.headers.append(HeaderField("Authorization", Array(UnsafeBufferPointer(start: start, count: count))))
  do {
    let request = try UnverifiedRequest(head)
    let parameters = request.parameters
    precondition(parameters.signedHeaders.contains("host") && parameters.scope.day.utf8.count == 8)
    precondition(!parameters.accessKeyID.utf8.contains(UInt8(ascii: "/")))
    precondition(parameters.algorithm == .ecdsaP256SHA256 || parameters.signatureText.utf8.count == 64)
  } catch {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  }
  return 0
}
