/// What a client says of itself.
public struct UserContextDataType: Structure {
  /// The client's address.
  public var ipAddress: String?
  /// A fingerprint of the client. It is not used.
  public var encodedData: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IpAddress", &ipAddress, .text)
    m.optional("EncodedData", &encodedData, .text)
  }
}

/// What analytics get.
public struct AnalyticsMetadataType: Structure {
  /// The endpoint of analytics.
  public var analyticsEndpointID: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AnalyticsEndpointId", &analyticsEndpointID, .text)
  }
}

/// What a developer's server says of the user's client.
public struct ContextDataType: Structure {
  /// The client's address.
  public var ipAddress = ""
  /// The name of the developer's server.
  public var serverName = ""
  /// The path on the developer's server.
  public var serverPath = ""
  /// The header fields.
  public var httpHeaders: [HttpHeader] = []
  /// A fingerprint of the client. It is not used.
  public var encodedData: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("IpAddress", &ipAddress, .text)
    m.required("ServerName", &serverName, .text)
    m.required("ServerPath", &serverPath, .text)
    m.required("HttpHeaders", &httpHeaders, .init())
    m.optional("EncodedData", &encodedData, .text)
  }
}

/// A header field.
public struct HttpHeader: Structure {
  /// The name.
  public var headerName: String?
  /// The value.
  public var headerValue: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("headerName", &headerName, .text)
    m.optional("headerValue", &headerValue, .text)
  }
}
