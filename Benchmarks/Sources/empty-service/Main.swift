import Glibc
import Hummingbird

/// A Hummingbird service that does nothing: what a start costs at the least.
@main
struct Main {
  static func main() async throws {
    let router = Router()
    router.get("/health") { _, _ in "ok\n" }
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
