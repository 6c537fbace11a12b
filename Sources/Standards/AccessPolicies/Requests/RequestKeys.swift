public import TokenLifetime

extension AccessContext {
  /// Sets the keys of the request itself: `aws:CurrentTime`, `aws:EpochTime` and `aws:SourceIp`.
  ///
  /// - Parameters:
  ///   - time: the time of the request.
  ///   - address: the client's address; nil where it is unknown, and the key then absent.
  public mutating func setRequest(time: Timestamp, address: String?) {
    self["aws:CurrentTime"] = ["\(time.wholeSecond)"]
    self["aws:EpochTime"] = ["\(time.seconds)"]
    self["aws:SourceIp"] = address.map { [$0] }
  }
}
