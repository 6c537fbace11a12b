public import AWSCredentials
internal import AsyncHTTPClient
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
public import SigV4

/// Reaches AWS STS over HTTPS with async-http-client: TLS 1.2 or later, certificate and name checked, no redirects, at
/// most 64 KiB of an answer, ten seconds for all of it.
public final class HTTPTransport: CredentialsTransport {
  private let client: HTTPClient
  private let endpoint: String?

  /// `endpoint`: what is asked instead of `https://` and the request's host: a VPC endpoint, or a test's server.
  public init(endpoint: String? = nil) {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = tls
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    configuration.timeout.connect = .seconds(5)
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    self.endpoint = endpoint
  }

  deinit { client.shutdown { _ in } }

  private static let limit = 65_536

  public func send(_ request: HTTPMessage) async throws(CredentialsFault) -> ServiceAnswer {
    let origin = endpoint ?? "https://" + (request.head["host"] ?? "")
    var question = HTTPClientRequest(url: origin + String(decoding: request.head.target, as: UTF8.self))
    question.method = HTTPMethod(rawValue: request.head.method)
    for field in request.head.headers where field.name.lowercasedASCII != "content-length" {
      question.headers.add(name: field.name, value: String(decoding: field.value, as: UTF8.self))
    }
    question.body = .bytes(ByteBuffer(bytes: request.body))
    do {
      let answer = try await client.execute(question, timeout: .seconds(10))
      var body: [UInt8] = []
      for try await part in answer.body {
        guard body.count + part.readableBytes <= Self.limit else {
          throw CredentialsFault.serviceAnswer("it has more than \(Self.limit) bytes")
        }
        body.append(contentsOf: part.readableBytesView)
      }
      return ServiceAnswer(status: Int(answer.status.code), body: SecretBytes(wiping: &body))
    } catch let fault as CredentialsFault {
      throw fault
    } catch {
      throw .serviceUnreachable("\(error)")
    }
  }
}
