internal import HTTPExchange
internal import ServiceOperations
internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase

/// Signed calls of SNS with the credentials of a role.
struct NotificationCalls: Sendable {
  let roles: RoleSessions
  /// The service to use instead of AWS's one of the region.
  let endpoint: HTTPURL?
  let transport: any HTTPTransport
  private let cache = SigningKeyCache()

  /// Why a call has no output.
  enum Failure: Error {
    /// The service refused it.
    case refused(type: String, message: String)
    /// Another error.
    case other(PushError)
  }

  private static let limits = TransportLimits(timeout: .seconds(10), responseSize: 65_536)

  init(_ roles: RoleSessions, endpoint: HTTPURL?, _ transport: any HTTPTransport) {
    self.roles = roles
    self.endpoint = endpoint
    self.transport = transport
  }

  /// Calls an operation.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - region: the region of the application.
  ///   - role: the role that may use it.
  ///   - fields: more fields of the form, percent-encoded, for members that forms write in another way.
  ///   - set: sets members of the input.
  /// - Returns: the output.
  /// - Throws: `refused`, and `other` for all but refusals of SNS.
  func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, in region: String, as role: PublishingRole, adding fields: String = "",
    _ set: (inout Operation.Input) -> Void
  ) async throws(Failure) -> Operation.Output {
    let server = try server(of: region)
    let client = OperationClient(notifications, at: server.address, transport, limits: Self.limits)
    var request = client.request(operation, Operation.Input(set))
    request.body += Array(fields.utf8)
    let signed = try await signed(request, host: server.host, region, role)
    do throws(OperationCallError) {
      return try await client.send(signed, for: operation)
    } catch {
      throw failure(error, role)
    }
  }

  /// The address of the service in a region, and the value of `Host`.
  private func server(of region: String) throws(Failure) -> (address: String, host: String) {
    if let endpoint { return (endpoint.origin, endpoint.authority) }
    do throws(AWSNameError) {
      let host = try AWSRegion(region).host(of: "sns")
      return ("https://\(host)", host)
    } catch {
      throw .other(.configurationRefused("\(error)"))
    }
  }

  private func signed(
    _ request: EncodedRequest, host: String, _ region: String, _ role: PublishingRole
  ) async throws(Failure) -> EncodedRequest {
    let now = Timestamp.now
    let credentials: Credentials
    do throws(CredentialsError) { credentials = try await roles.credentials(of: role, at: now) } catch {
      switch error {
      case .serviceRefused(let status, _) where status < 500:
        throw .other(.configurationRefused("the role cannot be assumed: \(error)"))
      default: throw .other(.unavailable("the role cannot be assumed: \(error)"))
      }
    }
    do throws(SigV4Error) {
      let signer = try Signer(service: notifications.signingName.text, region: region, cache: cache)
      var request = request
      request.headers = try signer.signedFields(
        request.method, request.target, host: host, request.headers, request.body, with: credentials, at: now)
      return request
    } catch {
      throw .other(.configurationRefused("\(error)"))
    }
  }

  private func failure(_ error: OperationCallError, _ role: PublishingRole) -> Failure {
    switch error {
    case .refused(let type, let status, let message):
      if ["ExpiredToken", "ExpiredTokenException"].contains(type) {
        roles.forget(role)
        return .other(.unavailable("the role's credentials have expired"))
      }
      let isLater =
        status >= 500 || status == 429
        || ["Throttled", "Throttling", "ThrottlingException"].contains(type)
      // Without the message, which may repeat a device's token.
      let shown = type.visible(upTo: 64)
      return isLater
        ? .other(.unavailable("the service responded \(shown), status \(status)"))
        : .refused(type: type, message: message)
    default: return .other(.unavailable("\(error)"))
    }
  }
}
