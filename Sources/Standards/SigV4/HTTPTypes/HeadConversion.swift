#if SigV4HTTPTypes
  public import HTTPTypes
  internal import TokenSecurityBase

  extension RequestHead {
    /// Converts a request of swift-http-types. `:authority` becomes `Host`.
    ///
    /// - Parameter request: the request.
    /// - Throws: `hostMissing` without authority and `Host`; `hostMismatch` when both differ; `pathNotAbsolute`
    ///   without a path.
    public init(_ request: HTTPRequest) throws(SigV4Error) {
      guard let target = request.path, !target.isEmpty else { throw .pathNotAbsolute }
      self.init(request.method.rawValue, target)
      let hosts = HTTPField.Name.plainHost.map { request.headerFields[values: $0] } ?? []
      headers.reserveCapacity(request.headerFields.count + 1)
      if let authority = request.authority, !authority.isEmpty {
        for host in hosts where host.lowercasedASCII != authority.lowercasedASCII {
          throw .hostMismatch(host: host, authority: authority)
        }
        if hosts.isEmpty { headers.append(HeaderField("Host", authority)) }
      } else if hosts.isEmpty {
        throw .hostMissing
      }
      for field in request.headerFields {
        headers.append(
          HeaderField(field.name.rawName, unsafe field.withUnsafeBytesOfValue { unsafe Array($0) }))
      }
    }
  }

  extension HTTPRequest {
    /// Replaces path and headers with those of the signed request.
    mutating func update(_ signed: RequestHead) throws(SigV4Error) {
      path = String(decoding: signed.target, as: UTF8.self)
      var fields = HTTPFields()
      for header in signed.headers {
        guard let name = HTTPField.Name(header.name) else { throw .headerName(header.name) }
        // The authority already has the host.
        if name == .plainHost, headerFields[values: name].isEmpty { continue }
        fields.append(HTTPField(name: name, value: String(decoding: header.value, as: UTF8.self)))
      }
      headerFields = fields
    }
  }

  extension HTTPField.Name {
    /// `Host`, for which swift-http-types has no constant because it is the authority.
    fileprivate static let plainHost = HTTPField.Name("Host")
  }
#endif
