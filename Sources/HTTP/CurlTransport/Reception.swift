internal import HTTPExchange
internal import TokenSecurityBase

/// What a transfer has received. One thread uses it.
final class Reception {
  /// Maximum size of the head in bytes, with those of interim responses.
  static let headLimit = 65_536
  static let statusRefused = TransportError.connection("the response's status is not 100 to 599")

  private let limit: Int
  private var contentLength: String?
  private var status = 0
  private var headSize = 0
  private var isHeadComplete = false
  private var headers = TransportHeaders()
  private var body: [UInt8] = []
  /// Why the response is refused.
  private(set) var failure: TransportError?

  /// - Parameter limit: the maximum size of the body in bytes.
  init(limit: Int) { self.limit = limit }

  /// The response; nil if it has no head.
  var response: TransportResponse? {
    isHeadComplete ? TransportResponse(status: status, headers: headers, body: body) : nil
  }

  /// Hands bytes from libcurl to the reception that it has as its context.
  ///
  /// - Returns: their number; zero ends the transfer.
  static func take(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ part: (Reception, borrowing RawSpan) -> Bool
  ) -> Int {
    guard let context = unsafe context, count > 0 else { return 0 }
    let received = unsafe Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return unsafe part(received, buffer.bytes) ? count : 0
  }

  /// Takes a part of the body. False if it is refused.
  func takeBody(_ part: borrowing RawSpan) -> Bool {
    guard part.byteCount <= limit - body.count else {
      failure = .tooLarge(limit: limit)
      body = []
      return false
    }
    unsafe part.withUnsafeBytes { unsafe body.append(contentsOf: $0) }
    return true
  }

  /// Takes a line of a head, or a field after the body. False if it is refused.
  func takeHeadLine(_ line: borrowing RawSpan) -> Bool {
    headSize += line.byteCount
    guard headSize <= Self.headLimit else {
      return refuse(.connection("the response's head has more than \(Self.headLimit) bytes"))
    }
    // What comes after the body is not read.
    guard !isHeadComplete else { return true }
    var bytes = unsafe line.withUnsafeBytes { unsafe Array($0) }[...]
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    if bytes.isEmpty {
      // A final response follows an interim one.
      isHeadComplete = status >= 200
      return true
    }
    if bytes.starts(with: "HTTP/".utf8) { return takeStatus(bytes) }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
      !Self.isBlank(bytes[bytes.startIndex])
    else { return refuse(.connection("the response's head is malformed")) }
    var value = bytes[(colon + 1)...].drop(while: Self.isBlank)
    while let last = value.last, Self.isBlank(last) { value.removeLast() }
    return takeField(
      String(decoding: bytes[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// Takes a field. libcurl would take one of several lengths, and of a malformed one the digits at its beginning.
  private func takeField(_ name: String, _ value: String) -> Bool {
    guard TransportHeaders.isToken(name), TransportHeaders.isValue(value) else {
      return refuse(.connection("the response's head is malformed"))
    }
    if name.isEqualIgnoringASCIICase(to: "Content-Length") {
      let isLength = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard isLength, contentLength.map({ $0.isIdentical(to: value) }) ?? true else {
        return refuse(.connection("the response's Content-Length is malformed, or there are several"))
      }
      contentLength = value
    }
    headers.append(name, value)
    return true
  }

  private func takeStatus(_ line: ArraySlice<UInt8>) -> Bool {
    headers = TransportHeaders()
    contentLength = nil
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[1].count == 3,
      let number = Int(String(decoding: parts[1], as: UTF8.self)), (100...599).contains(number)
    else { return refuse(Self.statusRefused) }
    status = number
    return true
  }

  private func refuse(_ error: TransportError) -> Bool {
    failure = error
    return false
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
