public import AWSCredentials
internal import AsyncHTTPClient
public import CognitoIdentityClient
internal import TokenSecurityCrypto
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// Reaches identity pools over HTTPS with async-http-client: TLS 1.2 or later, certificate and name checked, no redirects, at
/// most 256 KiB of an answer, ten seconds for all of it. Make one and share it.
public final class HTTPIdentityTransport: IdentityTransport {
  private let client: HTTPClient

  /// `authorities`: a PEM file with the roots that servers' certificates are traced back to; the machine's own where nil.
  public init(authorities: String? = nil) {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if let authorities { tls.trustRoots = .file(authorities) }
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = tls
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    configuration.timeout.connect = .seconds(5)
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  deinit { client.shutdown { _ in } }

  private static let limit = 262_144

  private static func isContentLength(_ name: String) -> Bool {
    name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.elementsEqual("content-length".utf8)
  }

  public func send(_ request: HTTPMessage, to origin: String) async throws(ClientFault) -> ServiceAnswer {
    var question = HTTPClientRequest(url: origin + String(decoding: request.head.target, as: UTF8.self))
    question.method = HTTPMethod(rawValue: request.head.method)
    for field in request.head.headers where !Self.isContentLength(field.name) {
      question.headers.add(name: field.name, value: String(decoding: field.value, as: UTF8.self))
    }
    question.body = .bytes(ByteBuffer(bytes: request.body))
    do {
      let answer = try await client.execute(question, timeout: .seconds(10))
      var body: [UInt8] = []
      for try await part in answer.body {
        guard body.count + part.readableBytes <= Self.limit else {
          throw ClientFault.answerMalformed(rule: "it has more than \(Self.limit) bytes")
        }
        body.append(contentsOf: part.readableBytesView)
      }
      return ServiceAnswer(status: Int(answer.status.code), body: SecretBytes(wiping: &body))
    } catch let fault as ClientFault {
      throw fault
    } catch {
      throw .unreachable("\(error)")
    }
  }
}
