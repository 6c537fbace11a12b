import OpenIDConnect

var verifier: OpenIDVerifier { given() }
var server: Server { given() }

struct Server {
  func run() async throws {}
}
