internal import TokenSecurityCrypto
internal import Glibc
internal import OTPQRCode

/// Draws a QR code for `verify-token totp enroll`, which does not carry libqrencode: the first line of standard input is
/// the form (`terminal`, `colours`, `svg`, `png`), what follows is the text.
@main
enum Main {
  static func main() {
    var count = 0
    let input = try? SecretBytes(count: QRCode.limit + 16) { span throws(Unreadable) in
      count = try fill(&span)
    }
    guard let input else { exit(2) }
    let line = input.withBytes { bytes in (0..<count).first { bytes[$0] == 0x0A } }
    guard let line else { exit(2) }
    let form = input.withBytes {
      String(decoding: [UInt8](unwipedCopy: $0.extracting(0..<line)), as: UTF8.self)
    }
    let text = input.withBytes { SecretBytes($0.extracting((line + 1)..<count)) }
    do {
      let code = try QRCode(text)
      switch form {
      case "terminal": write(code.terminal(isColoured: false))
      case "colours": write(code.terminal(isColoured: true))
      case "svg": write(code.svg())
      case "png": write(code.png())
      default: exit(2)
      }
    } catch { exit(1) }
  }

  private struct Unreadable: Error {}

  private static func fill(_ span: inout MutableSpan<UInt8>) throws(Unreadable) -> Int {
    var count = 0
    while count < span.count {
      let got = unsafe span.withUnsafeMutableBytes { raw in
        unsafe read(STDIN_FILENO, raw.baseAddress.map { unsafe $0 + count }, raw.count - count)
      }
      guard got >= 0 || errno == EINTR else { throw Unreadable() }
      if got == 0 { break }
      count += max(0, got)
    }
    return count
  }

  private static func write(_ bytes: borrowing SecretBytes) {
    let done = bytes.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { buffer in
        var written = 0
        while written < buffer.count {
          let count = unsafe Glibc.write(
            STDOUT_FILENO, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return false }
          written += count
        }
        return true
      }
    }
    if !done { exit(2) }
  }
}
