internal import CognitoIdentityClient
internal import HTTPExchange
internal import ServiceOperations
internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase

/// Signed calls of declared operations, with the pool's id and this module's errors.
struct SyncCalls: Sendable {
  let endpoint: SyncEndpoint
  let identity: any SyncIdentity
  private let client: OperationClient
  private let signingKeys = SigningKeyCache()

  /// A full data set passes, its text escaped.
  private static let responseSize = UpdateRecords.bodyLimit

  init(endpoint: SyncEndpoint, identity: any SyncIdentity, transport: any HTTPTransport) {
    self.endpoint = endpoint
    self.identity = identity
    client = OperationClient(
      dataSets, at: endpoint.address, transport,
      limits: TransportLimits(timeout: .seconds(30), responseSize: Self.responseSize))
  }

  /// Calls an operation with the input that a closure sets.
  func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ set: (inout Operation.Input) -> Void
  ) async throws(SyncClientError) -> Operation.Output {
    guard !Task.isCancelled else { throw .cancelled }
    let request = try await signed(client.request(operation, Operation.Input(set)))
    do throws(OperationCallError) {
      return try await client.send(request, for: operation)
    } catch {
      switch error {
      case .refused(let type, _, let message): throw .refused(type: type, message: message)
      case .requestRefused(let rule): throw .inputInvalid(rule: rule)
      case .responseMalformed(let rule): throw .responseMalformed(rule: rule)
      case .unreachable(.tooLarge(let limit)):
        throw .responseMalformed(rule: "it has more than \(limit) bytes")
      case .unreachable(let error): throw Task.isCancelled ? .cancelled : .unreachable("\(error)")
      }
    }
  }

  /// The request with the signature of the identity's credentials.
  private func signed(_ request: EncodedRequest) async throws(SyncClientError) -> EncodedRequest {
    let credentials: Credentials
    do throws(CredentialsError) { credentials = try await identity.credentials(at: .now) } catch {
      throw Task.isCancelled ? .cancelled : .identityFailed(Self.failure(error))
    }
    do throws(SigV4Error) {
      let signer = try Signer(service: dataSets.signingName.text, region: endpoint.region, cache: signingKeys)
      var request = request
      request.headers = try signer.signedFields(
        request.method, request.target, host: IdentityEndpoint.host(endpoint.address), request.headers,
        request.body, with: credentials, at: .now)
      return request
    } catch {
      throw .identityFailed(.credentialsUnusable(error))
    }
  }

  /// The failure of a source of credentials in the words of identity pools.
  private static func failure(_ error: CredentialsError) -> IdentityClientError {
    switch error {
    case .serviceRefused(_, let code): .refused(type: code, message: "the credentials were refused")
    case .serviceUnreachable(let reason): .unreachable(reason)
    case .unusable(let error): .credentialsUnusable(error)
    default: .responseMalformed(rule: "\(error)")
    }
  }
}
