import OpenIDConnect

/// URLs, identifiers of pools and load balancers, and cache lifetimes of responses: accepted values are the
/// same when they are written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  if let address = try? HTTPURL(text) {
    // The scheme is in lower case.
    let scheme = address.isSecure ? "https://" : "http://"
    precondition(address.description == scheme + text.dropFirst(scheme.utf8.count))
    precondition((1...65_535).contains(address.port))
    precondition(!address.host.contains("@") && !address.host.contains("/") && !address.host.contains("\\"))
    let whole = address.origin + address.path + (address.query.map { "?" + $0 } ?? "")
    if let again = try? HTTPURL(whole) {
      precondition(
        again.origin == address.origin && again.path == address.path && again.query == address.query)
      precondition(again.isLoopback == address.isLoopback && again.isSecure == address.isSecure)
    } else {
      // The port, which the text may have left out, can make it longer than a URL may be.
      precondition(whole.utf8.count > 2_048, whole)
    }
  }
  if let pool = try? CognitoUserPoolIssuer(text) {
    // The id becomes one segment of a URL's path.
    guard let address = try? HTTPURL(pool.issuer) else { preconditionFailure(pool.issuer) }
    precondition(address.path == "/" + text && address.host.hasPrefix("cognito-idp.\(pool.region)."))
  }
  if let pool = try? CognitoIdentityPool(text) { precondition((try? HTTPURL(pool.issuer)) != nil) }
  if let balancer = try? LoadBalancer(arn: text) {
    precondition((try? HTTPURL(balancer.keysAddress)) != nil)
  }
  let control = CacheControl(cacheControl: text, age: text)
  precondition((0...(1 << 31)).contains(control.freshSeconds ?? 0))
  return 0
}
