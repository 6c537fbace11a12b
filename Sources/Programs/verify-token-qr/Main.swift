internal import TokenSecurityCrypto
internal import TokenSecurityPlatform
internal import OTPQRCode

/// Draws a QR code for `verify-token totp enroll`, which does not link libqrencode. The first line of
/// standard input is the format (`terminal`, `colours`, `svg`, `png`), the rest is the text.
@main
enum Main {
  static func main() {
    var count = 0
    let input = try? SecretBytes(count: QRCode.limit + 16) { span throws(Unreadable) in
      guard let filled = Descriptor.fill(&span, from: STDIN_FILENO) else { throw Unreadable() }
      count = filled
    }
    guard let input else { exit(2) }
    let line = input.withBytes { bytes in (0..<count).first { bytes[$0] == 0x0A } }
    guard let line else { exit(2) }
    let format = input.withBytes {
      String(decoding: [UInt8](unwipedCopy: $0.extracting(0..<line)), as: UTF8.self)
    }
    let text = input.withBytes { SecretBytes($0.extracting((line + 1)..<count)) }
    do {
      let code = try QRCode(text)
      switch format {
      case "terminal": write(code.terminal(isColoured: false))
      case "colours": write(code.terminal(isColoured: true))
      case "svg": write(code.svg())
      case "png": write(code.png())
      default: exit(2)
      }
    } catch { exit(1) }
  }

  private struct Unreadable: Error {}

  private static func write(_ bytes: borrowing SecretBytes) {
    if !bytes.withBytes({ Descriptor.writeAll($0, to: STDOUT_FILENO) }) { exit(2) }
  }
}
