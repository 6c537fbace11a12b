internal import Foundation
internal import JOSE
internal import Testing

/// Files of private keys.
@Suite struct StoredKeyTests {
  private let path = FileManager.default.temporaryDirectory.path + "/keys-\(UUID().uuidString)"

  private func code(_ body: () throws(JOSEError) -> Void) -> JOSEError.Code? {
    do throws(JOSEError) {
      try body()
      return nil
    } catch { return error.code }
  }

  @Test func keysAreReadInTheirOrder() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try KeyFile.read(path: path) == nil)
    let keys = [try JWK.generate(.es256), try JWK.generate(.ed25519), try JWK.generate(.rs256)]
    try KeyFile.write(keys, path: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let read = try #require(try KeyFile.read(path: path))
    #expect(read.keys.map(\.keyID) == keys.map(\.keyID))
    #expect(read.publicJSON == JWKSet(keys).publicJSON)
    // Each key signs as before.
    for (key, again) in zip(keys, read.keys) {
      let token = try TokenSigner(key: again).issue(
        TokenClaims(issuer: "https://issuer.example", audience: ["api"]))
      let policy = TokenPolicy(issuer: "https://issuer.example", audience: "api")
      _ = try TokenVerifier(keys: JWKSet(key), policy: policy).verify(token)
    }
    // Others are written in place of them, as a whole.
    try KeyFile.write([keys[1]], path: path)
    #expect(try KeyFile.read(path: path)?.keys.map(\.keyID) == [keys[1].keyID])
  }

  @Test func aFileThatOthersCanReadIsRefused() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try KeyFile.write([try JWK.generate(.es256)], path: path)
    for mode in [0o640, 0o604, 0o644] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(code { () throws(JOSEError) in _ = try KeyFile.read(path: path) } == .keyFileUnusable)
    }
    let link = path + ".link"
    defer { try? FileManager.default.removeItem(atPath: link) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(code { () throws(JOSEError) in _ = try KeyFile.read(path: link) } == .keyFileUnusable)
  }

  @Test func whatCannotBeWrittenLeavesTheFile() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let key = try JWK.generate(.es256)
    try KeyFile.write([key], path: path)
    let shown = try #require(JWKSet(json: JWKSet(key).publicJSON).keys.first)
    #expect(code { () throws(JOSEError) in try KeyFile.write([shown], path: path) } == .keyNotPrivate)
    #expect(code { () throws(JOSEError) in try KeyFile.write([], path: path) } == .keySetInvalid)
    #expect(
      code { () throws(JOSEError) in try KeyFile.write([key], path: "\(path)/none") } == .keyFileUnusable)
    #expect(try KeyFile.read(path: path)?.keys.map(\.keyID) == [key.keyID])
  }

  @Test func aKeyThatCannotBeUsedIsNotLeftOut() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let set = #"{"keys":[{"kty":"oct","k":"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"},{"kty":"none"}]}"#
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(set.utf8), attributes: [.posixPermissions: 0o600]))
    #expect(code { () throws(JOSEError) in _ = try KeyFile.read(path: path) } == .keyTypeUnknown)
  }
}
