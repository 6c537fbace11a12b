internal import HTTPExchange
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// An address of the operator that gets signed requests.
///
/// The header field `X-Identity-Service-Signature` is `t=<seconds since 1970>,v1=<hexadecimal digits>`: the
/// HMAC-SHA256, under the address's secret, of the number of seconds as text, a full stop and the body. A
/// receiver refuses other signatures, and numbers that are minutes away from its clock.
struct SignedWebhook: Sendable {
  /// The address.
  let url: HTTPURL
  private let authenticator: MessageAuthenticator
  private let transport: any HTTPTransport

  /// The least bytes of a secret.
  static let secretSize = 16
  static let signatureField = "X-Identity-Service-Signature"

  /// Makes a webhook.
  ///
  /// - Parameters:
  ///   - text: the URL: https, or http on this machine.
  ///   - secret: the secret's bytes.
  ///   - transport: sends the requests.
  /// - Throws: `OperatingError` with the rule.
  init(_ text: String, secret: borrowing SecretBytes, transport: any HTTPTransport) throws {
    do throws(TransportError) { url = try HTTPURL(text) } catch { throw OperatingError("\(error)") }
    guard url.isSecure || url.isLoopback else {
      throw OperatingError("\(text.quoted) must be an https URL; http is only for this machine")
    }
    guard secret.count >= Self.secretSize else {
      throw OperatingError("the secret of \(text.quoted) has fewer than \(Self.secretSize) bytes")
    }
    authenticator = try MessageAuthenticator(key: secret, digest: .sha256)
    self.transport = transport
  }

  /// Posts a signed body.
  ///
  /// - Parameters:
  ///   - body: JSON.
  ///   - headers: more header fields.
  ///   - limits: the limits of the exchange.
  ///   - now: the time in the signature.
  /// - Returns: the response with any status.
  /// - Throws: why it is missing.
  func post(
    _ body: [UInt8], headers: TransportHeaders = [:], limits: TransportLimits, at now: Timestamp = .now
  ) async throws(TransportError) -> TransportResponse {
    var headers = headers
    headers["Content-Type"] = "application/json"
    headers["User-Agent"] = "identity-service"
    headers[Self.signatureField] = try signature(body, at: now)
    return try await transport.send(
      TransportRequest(method: "POST", url: url, headers: headers, body: body, limits: limits))
  }

  /// The value of the header field.
  func signature(_ body: [UInt8], at now: Timestamp) throws(TransportError) -> String {
    var message = Array("\(now.seconds).".utf8)
    message.reserveCapacity(message.count + body.count)
    message.append(contentsOf: body)
    do throws(CryptoError) {
      return "t=\(now.seconds),v1=\(Hex.string(try authenticator.authenticate(message.span)))"
    } catch {
      throw .connection("the signature cannot be made: \(error)")
    }
  }
}
