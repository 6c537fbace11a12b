/// The timeouts of a connection in seconds, and the bytes of a body.
package struct ConnectionLimits: Sendable {
  package var requestTimeout: Int
  package var responseTimeout: Int
  package var idleTimeout: Int
  /// Maximum number of bytes of a body that are read, also where they are more than the service accepts.
  package var bodyLimit: Int

  package init(requestTimeout: Int, responseTimeout: Int, idleTimeout: Int, bodyLimit: Int) {
    self.requestTimeout = requestTimeout
    self.responseTimeout = responseTimeout
    self.idleTimeout = idleTimeout
    self.bodyLimit = bodyLimit
  }
}
