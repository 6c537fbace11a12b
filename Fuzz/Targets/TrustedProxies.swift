import HTTPExchange
import TokenSecurityPlatform

/// `X-Forwarded-For` and `Forwarded`: what a client sent never changes the client that a proxy names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  guard let proxy = IPAddress("10.1.1.1"), let other = IPAddress("192.0.2.1"),
    let client = IPAddress("203.0.113.9"),
    let range = IPAddressRange("10.0.0.0/8")
  else { return 0 }
  let proxies = TrustedProxies([range])
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  for (forwardedFor, forwarded) in [(lines, []), ([], lines), (lines, lines), (lines, [text])]
    as [([String], [String])]
  {
    precondition(proxies.client(of: other, forwardedFor: forwardedFor, forwarded: forwarded).address == other)
    let found = proxies.client(of: proxy, forwardedFor: forwardedFor, forwarded: forwarded)
    precondition(found.isAgreed || found.address == proxy)
    precondition(
      found.address == found.address.unmapped && IPAddress(found.address.text[...]) == found.address)
  }
  for end in ["203.0.113.9", "203.0.113.9:80", "::ffff:203.0.113.9", "203.0.113.9, 10.2.2.2"] {
    precondition(
      proxies.client(of: proxy, forwardedFor: [text + ", " + end], forwarded: []).address == client)
    precondition(proxies.client(of: proxy, forwardedFor: [text, end], forwarded: []).address == client)
  }
  for end in [
    "for=203.0.113.9", "proto=https;For=\"203.0.113.9:80\"", "for=203.0.113.9;host=\"a,b\", for=10.2.2.2",
  ] {
    precondition(
      proxies.client(of: proxy, forwardedFor: [], forwarded: [text + ", " + end]).address == client)
    precondition(proxies.client(of: proxy, forwardedFor: [], forwarded: [text, end]).address == client)
  }
  if let range = IPAddressRange(text) { _ = range.contains(proxy) || range.contains(client) }
  return 0
}
