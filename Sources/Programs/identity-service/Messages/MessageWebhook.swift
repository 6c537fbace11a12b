internal import CognitoUserPool
internal import HTTPExchange
internal import TokenSecurityBase

/// Posts each message to an address of the operator.
///
/// A status of 2xx says that the message was taken over. 408, 429 and 5xx, and no response, mean that it is
/// posted again later, with the same `id`; any other status refuses it.
struct MessageWebhook: MessageSender {
  let webhook: SignedWebhook

  private static let limits = TransportLimits(timeout: .seconds(10), responseSize: 65_536)

  func send(_ message: OutgoingMessage) async throws(MessageError) {
    let response: TransportResponse
    do throws(TransportError) {
      response = try await webhook.post(JSONWriter.write(message.json), limits: Self.limits)
    } catch {
      throw .unavailable("\(error)")
    }
    switch response.status {
    case 200...299: return
    case 408, 429, 500...599: throw .unavailable("the webhook's response has the status \(response.status)")
    default: throw .refused("the webhook's response has the status \(response.status)")
    }
  }
}
