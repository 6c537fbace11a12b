internal import CognitoUserPool
internal import HTTPExchange
internal import ServiceOperations
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The functions of user pools, each at an address of the operator.
///
/// A file says where they are: a JSON object with the functions' ARNs, and the URL and the secret of each. It
/// has mode 600. Events are posted as AWS Lambda's functions get them, and signed as ``SignedWebhook`` does.
final class WebhookFunctions: UserPoolHooks {
  private let path: String
  private let transport: any HTTPTransport
  private let functions: Mutex<[ExactString: SignedWebhook]>

  /// Maximum number of functions.
  static let limit = 1_000

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - transport: sends the events.
  /// - Throws: `OperatingError` that names the function and the rule.
  init(_ path: String, transport: any HTTPTransport) throws {
    self.path = path
    self.transport = transport
    functions = Mutex(try Self.read(path, transport))
  }

  /// Reads the file again, without using it yet.
  ///
  /// - Returns: the number of functions, and what makes them those that are called from now on.
  /// - Throws: `OperatingError`.
  func readAgain() throws -> (count: Int, apply: () -> Void) {
    let next = try Self.read(path, transport)
    return (next.count, { self.functions.withLock { $0 = next } })
  }

  private static func read(_ path: String, _ transport: any HTTPTransport) throws -> [ExactString:
    SignedWebhook]
  {
    func refused(_ rule: String) -> OperatingError { SecretFile.refused(path, rule) }
    let object = try SecretFile.object(path, setting: "--webhooks")
    guard object.members.count <= limit else { throw refused("it must have at most \(limit) functions") }
    var functions: [ExactString: SignedWebhook] = [:]
    for member in object.members {
      let name = member.name.quoted(upTo: 200)
      // A pool names no other function.
      guard TextBounds.arn.allows(member.name) else { throw refused("\(name) is not the ARN of a function") }
      guard let settings = member.value.object, let url = settings["url"]?.string,
        let secret = settings["secret"]?.string, settings.members.count == 2
      else { throw refused("\(name) must have the members url and secret, and no others") }
      do {
        functions[ExactString(member.name)] = try SignedWebhook(
          url, secret: SecretBytes(secret.utf8.span), transport: transport)
      } catch {
        throw refused("\(name): \(error)")
      }
    }
    return functions
  }

  func serves(_ functionARN: String) -> Bool {
    functions.withLock { $0[ExactString(functionARN)] != nil }
  }

  /// Posts an event.
  ///
  /// A status of 2xx has the event with its response, or with `X-Amz-Function-Error` the function's error. 429,
  /// 502, 503 and 504 are those of a gateway that cannot reach the function. Other statuses are the function's
  /// error, whose text is the member `errorMessage`.
  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    guard let webhook = functions.withLock({ $0[ExactString(event.functionARN)] }) else {
      throw .unreachable("the operator's file has no such function")
    }
    // The transport copies the body; this copy is all that can be kept short-lived here.
    let body = event.json.withBytes { [UInt8](unwipedCopy: $0) }
    let response: TransportResponse
    do throws(TransportError) {
      response = try await webhook.post(
        body, headers: ["X-Identity-Service-Trigger": event.source], limits: Self.limits)
    } catch {
      switch error {
      case .timeout: throw .timeout
      case .tooLarge(let limit): throw .responseInvalid(rule: "it has more than \(limit) bytes")
      default: throw .unreachable("\(error)")
      }
    }
    switch response.status {
    case 200...299:
      guard response.headers["X-Amz-Function-Error"] == nil else { throw .refused(Self.text(of: response)) }
      return HookResponse(json: response.body)
    case 429, 502, 503, 504: throw .unreachable("the response has the status \(response.status)")
    default: throw .refused(Self.text(of: response))
    }
  }

  private static let limits = TransportLimits(timeout: .seconds(5), responseSize: HookResponse.sizeLimit)

  /// The function's text for its error, or the status.
  private static func text(of response: TransportResponse) -> String {
    (try? JSONValue(parsing: response.body))?.object?["errorMessage"]?.string
      ?? "the response has the status \(response.status)"
  }
}
