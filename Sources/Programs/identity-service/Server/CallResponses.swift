internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceHosting
internal import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Responses of calls, and what large ones cost.
extension CallHandler {
  private static let unit = OperationDeclaration.bodyLimit

  /// Counts each MiB of a large response as a call, and takes a slot for it, so that clients that do not read their
  /// responses cannot fill the memory.
  ///
  /// - Throws: `tooManyRequests` where no slot is free. A change is answered all the same: it was made, and its response
  ///   is bounded by its request.
  func hold(
    _ response: EncodedResponse, _ context: RequestSender, _ record: inout CallRecord
  ) throws(CallRefusal) {
    let more = response.body.count / Self.unit
    guard response.body.count > Self.unit else { return }
    for caller in record.counted { limiter.charge(caller, calls: more) }
    guard record.slot == nil else { return }
    record.slot = record.slots?.slot(for: context.address)
    guard record.slot != nil || record.route?.declaration.changes != nil else {
      throw CallRefusal(.tooManyRequests)
    }
  }

  /// Makes the response of an encoded one.
  ///
  /// - Parameters:
  ///   - response: the encoded response.
  ///   - requestID: the request's id, for protocols without a field for it.
  ///   - slot: the call's slot, which is given back when the response was written; nil for a usual call.
  /// - Returns: the response.
  static func response(
    _ response: EncodedResponse, requestID: String, holding slot: LargeBodies.Slot?
  ) -> Response {
    var fields = HTTPFields()
    fields.reserveCapacity(response.headers.count + 2)
    for (name, value) in response.headers {
      guard let name = HTTPField.Name.ofResponses(name) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    if !fields.contains(.requestID) { fields[.requestID] = requestID }
    let status = HTTPResponse.Status(code: response.status)
    guard let slot, response.body.count > unit else {
      return Response(
        status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: response.body)))
    }
    let body = response.body
    let written = ResponseBody(contentLength: body.count) { writer in
      // In copies of parts: of the whole only the last part is left when the slot is given back. A part must be accepted
      // within the time limit of responses.
      for start in stride(from: 0, to: body.count, by: unit) {
        try await writer.write(ByteBuffer(bytes: body[start..<min(start + unit, body.count)]))
      }
      try await writer.finish(nil)
      withExtendedLifetime(slot) {}
    }
    return Response(status: status, headers: fields, body: written)
  }
}

extension HTTPField.Name {
  fileprivate static let requestID = HTTPField.Name("x-amzn-RequestId") ?? .contentType

  /// The names of nearly all fields of responses. Another name is checked and folded for each response.
  private static let known =
    [.contentType, .cacheControl, requestID] + ["x-amzn-ErrorType"].compactMap { HTTPField.Name($0) }

  fileprivate static func ofResponses(_ name: String) -> HTTPField.Name? {
    known.first { $0.rawName.isIdentical(to: name) } ?? HTTPField.Name(name)
  }
}
