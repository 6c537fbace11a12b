internal import Glibc

/// The programs that tests start beside those of the package, in one.
///
///     peer tokens …       keys and tokens (TokenPeer)
///     peer requests       signed requests (RequestPeer)
///     peer records …      a process with a store (RecordPeer)
///     peer identities     the client of identity pools (IdentityPeer)
///     peer user-pools     the client of user pools (UserPoolPeer)
///     peer data-sets      the client of data sets (DataSetPeer)
///     peer operations     the declared operations (OperationPeer)
///     peer sign-ins       sign-ins and one-time codes (SignInPeer)
///     peer policies       decisions of access policies (PolicyPeer)
///     peer apis           an API that verifies requests of sessions (APIPeer)
@main
struct Peer {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "tokens": try TokenPeer.run(arguments)
    case "requests": await RequestPeer.run()
    case "records": try await RecordPeer.run(arguments)
    case "identities": await IdentityPeer.run()
    case "user-pools": await UserPoolPeer.run()
    case "data-sets": await DataSetPeer.run()
    case "operations": OperationPeer.run()
    case "sign-ins": try await SignInPeer.run()
    case "policies": PolicyPeer.run()
    case "apis": await APIPeer.run()
    default:
      print(
        "usage: peer tokens|requests|records|identities|user-pools|data-sets|operations|sign-ins|policies|apis …"
      )
      exit(2)
    }
  }
}
