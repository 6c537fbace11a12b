/// The input of an event's signature.
enum EventChain {
  static func text(
    _ algorithm: SigningAlgorithm, _ date: Timestamp, _ scope: CredentialScope, _ previous: String,
    headers: [UInt8],
    payload: [UInt8]
  ) throws(SigV4Error) -> [UInt8] {
    // A key is for one day in UTC: a stream cannot continue after midnight.
    guard date.amzDay == Array(scope.day.utf8) else { throw .scopeDateMismatch(scope: scope.day, date: date) }
    return try StringToSign.event(
      algorithm, date: date, scope: scope, previous: previous, headerHash: SigV4Error.hash(headers.span),
      payloadHash: SigV4Error.hash(payload.span))
  }
}
