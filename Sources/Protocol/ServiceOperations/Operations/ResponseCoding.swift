internal import TokenSecurityBase

extension ServiceOperation {
  /// Writes a response.
  package static func response(_ output: Output, _ binding: ServiceBinding, requestID: String)
    -> EncodedResponse
  {
    var value = output
    guard case .query(_, let namespace) = binding else {
      var members = Members(writing: MemberWriter(.json))
      members.writeStructure(&value)
      return EncodedResponse(status: 200, binding, requestID, members.output.bytes)
    }
    var members = Members(writing: MemberWriter(.xml))
    members.writeStructure(&value)
    let name = declaration.name
    var xml = Array("<\(name)Response xmlns=\"\(namespace)\"><\(name)Result>".utf8)
    xml += members.output.bytes
    xml.append("</\(name)Result><ResponseMetadata><RequestId>")
    XMLEscaping.append(requestID.utf8.span, to: &xml)
    xml.append("</RequestId></ResponseMetadata></\(name)Response>")
    return EncodedResponse(status: 200, binding, requestID, xml)
  }
}

extension EncodedResponse {
  /// A response of a protocol with its header fields.
  package init(
    status: Int, _ binding: ServiceBinding, _ requestID: String, _ body: [UInt8], errorType: String? = nil
  ) {
    let isXML = if case .query = binding { true } else { false }
    var headers = [
      (name: "Content-Type", value: isXML ? "text/xml" : binding.contentType),
      (name: "Cache-Control", value: "no-store"), (name: "x-amzn-RequestId", value: requestID),
    ]
    if let errorType { headers.append((name: "x-amzn-ErrorType", value: errorType)) }
    self.init(status: status, headers: headers, body: body)
  }

  /// The response to a refused request.
  ///
  /// - Parameters:
  ///   - error: the refusal.
  ///   - binding: the protocol.
  ///   - requestID: the id to report.
  public init(_ error: some ServiceError, _ binding: ServiceBinding, requestID: String) {
    let (type, status) = error.reported(in: binding)
    var body: [UInt8]
    switch binding {
    case .json, .rest:
      body = JSONWriter.write(
        [
          "__type": .string(type), "message": .string(error.publicMessage), "code": .string(error.codeText),
        ] as JSONObject)
    case .query(_, let namespace):
      body = Array("<ErrorResponse xmlns=\"\(namespace)\"><Error>".utf8)
      for (name, text) in [
        ("Type", status >= 500 ? "Receiver" : "Sender"), ("Code", type), ("Message", error.publicMessage),
      ] {
        body.append("<\(name)>")
        XMLEscaping.append(text.utf8.span, to: &body)
        body.append("</\(name)>")
      }
      body.append("</Error><RequestId>")
      XMLEscaping.append(requestID.utf8.span, to: &body)
      body.append("</RequestId></ErrorResponse>")
    }
    self.init(status: status, binding, requestID, body, errorType: type)
  }
}
