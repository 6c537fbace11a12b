import Glibc
import Hummingbird
import NIOCore

/// A Hummingbird service that does nothing: what a start and a call cost at the least.
@main
struct Main {
  static func main() async throws {
    let router = Router()
    router.get("/health") { _, _ in "ok\n" }
    // Of the size of a response with a token.
    let response = ByteBuffer(repeating: UInt8(ascii: "a"), count: 1_000)
    router.post("/") { request, context in
      _ = try await request.body.collect(upTo: 1 << 20)
      return response
    }
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        print("listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
        // Into a pipe nothing goes of itself.
        fflush(nil)
      })
    try await application.runService()
  }
}
