import CBare
import Crypto
import Foundation
import JOSE
import OneTimeCodes

/// One-time codes, beside the HMAC that each of them is.
struct Codes {
  static let seed = Array("12345678901234567890".utf8)

  static func contenders() throws -> [Contender] {
    let secret = SecretBytes(seed.span)
    let totp = try TOTP(secret: OTPSecret(secret))
    let mac = bare_mac_sha1_new(seed, seed.count)
    let base32 = Array("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8)
    let now = Timestamp(since1970: .seconds(1_788_598_987))
    let code = try totp.code(at: now)
    let key = SymmetricKey(data: seed)
    return [
      Contender(name: "bare HMAC-SHA1 of 8 bytes, key cached") { count in
        var out = [UInt8](repeating: 0, count: 20)
        for index in 0..<count where bare_mac_sha1(mac, UInt(index), &out) != 1 { return false }
        return true
      },
      Contender(name: "bare HMAC() in one call") { count in
        var out = [UInt8](repeating: 0, count: 20)
        for index in 0..<count where bare_hmac_sha1_once(seed, seed.count, UInt(index), &out) != 1 {
          return false
        }
        return true
      },
      Contender(name: "a code, secret cached") { count in
        for index in 0..<count { _ = try totp.code(at: now + .seconds(index * 30)) }
        return true
      },
      Contender(name: "a check with a window of one, secret cached") { count in
        for _ in 0..<count { _ = try totp.verify(code, at: now) }
        return true
      },
      Contender(name: "a check with a window of one, wrong code") { count in
        for _ in 0..<count where (try? totp.verify("000000", at: now)) != nil { return false }
        return true
      },
      Contender(name: "a code, secret read from base32 before") { count in
        for index in 0..<count {
          let secret = try OTPSecret(base32: SecretBytes(base32.span))
          _ = try TOTP(secret: secret).code(at: now + .seconds(index * 30))
        }
        return true
      },
      Contender(name: "a check with a window of one, secret read from base32 before") { count in
        for _ in 0..<count {
          let secret = try OTPSecret(base32: SecretBytes(base32.span))
          _ = try TOTP(secret: secret).verify(code, at: now)
        }
        return true
      },
      Contender(name: "a code, swift-crypto") { count in
        for index in 0..<count where swiftCrypto(key, UInt64(now.seconds / 30) + UInt64(index)).isEmpty {
          return false
        }
        return true
      },
    ]
  }

  /// The code as a Swift service would make it today.
  private static func swiftCrypto(_ key: SymmetricKey, _ counter: UInt64) -> String {
    let message = withUnsafeBytes(of: counter.bigEndian) { Data($0) }
    let digest = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
    let place = Int(digest[19] & 0x0F)
    let number = digest[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    return String(format: "%06u", number % 1_000_000)
  }
}
