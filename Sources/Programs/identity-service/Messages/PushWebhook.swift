internal import CognitoSync
internal import HTTPExchange
internal import TokenSecurityBase

/// Posts devices and push messages to an address of the operator, which hands them to the platforms.
///
/// A device is posted with `action` `register`; the response to it is `{"endpoint": "…"}`, a name of the receiver's
/// own, and later messages have it. A message is posted with `action` `send`, an endpoint whose device is gone with
/// `action` `remove`. The receiver answers 2xx when it has taken the request over; 408, 429 or 5xx when a later try may
/// succeed, as a missing response does; 404 or 410 when the endpoint is gone; 422 when it does not accept the token. Any
/// other status refuses the pool's application.
struct PushWebhook: PushSender {
  let webhook: SignedWebhook

  private static let limits = TransportLimits(timeout: .seconds(10), responseSize: 65_536)

  func register(_ device: PushRegistration) async throws(PushError) -> String {
    let response = try await post([
      "action": "register", "identityPoolId": .string(device.poolID),
      "identityId": .string(device.identityID), "platform": .string(device.platform.rawValue.text),
      "applicationArn": .string(device.applicationARN), "token": .string(device.token),
    ])
    guard let endpoint = (try? JSONValue(parsing: response.body))?.object?["endpoint"]?.string else {
      throw .unavailable("the webhook's response has no endpoint")
    }
    return endpoint
  }

  func send(_ message: PushMessage) async throws(PushError) {
    _ = try await post([
      "action": "send", "identityPoolId": .string(message.poolID),
      "identityId": .string(message.identityID), "platform": .string(message.platform.rawValue.text),
      "applicationArn": .string(message.applicationARN), "endpoint": .string(message.endpoint),
      "message": .object(message.platformMessage),
    ])
  }

  func remove(_ endpoint: PushEndpoint) async throws(PushError) {
    _ = try await post([
      "action": "remove", "identityPoolId": .string(endpoint.poolID),
      "platform": .string(endpoint.platform.rawValue.text), "endpoint": .string(endpoint.endpoint),
    ])
  }

  private func post(_ body: JSONObject) async throws(PushError) -> TransportResponse {
    let response: TransportResponse
    do throws(TransportError) {
      response = try await webhook.post(JSONWriter.write(body), limits: Self.limits)
    } catch {
      throw .unavailable("\(error)")
    }
    let reason = "the webhook's response has the status \(response.status)"
    switch response.status {
    case 200...299: return response
    case 408, 429, 500...599: throw .unavailable(reason)
    case 404, 410: throw .endpointRefused(reason)
    case 422: throw .tokenRefused(reason)
    default: throw .configurationRefused(reason)
    }
  }
}
