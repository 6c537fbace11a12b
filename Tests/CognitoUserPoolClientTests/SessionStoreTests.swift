@testable internal import CognitoUserPoolClient
internal import Foundation
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// The stores of sessions.
@Suite struct SessionStoreTests {
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/sessions-\(UUID().uuidString)"
    var file: String { path + "/sessions.json" }

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, mode: Int = 0o600) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }
  }

  private static func key(_ item: SessionKey.Item, pool: String = "eu-west-1_a") -> SessionKey {
    SessionKey(poolID: pool, clientID: "client", item: item)
  }

  private static func expectKeeps(_ store: any SessionStore) throws {
    let items: [SessionKey.Item] = [
      .users, .session(username: "jane"), .session(username: "Jane"), .device(username: "jane"),
      // Two texts that Unicode calls equal.
      .session(username: "\u{E9}"), .session(username: "e\u{301}"), .session(username: ""),
    ]
    for (index, item) in items.enumerated() {
      #expect(try store.load(key(item)) == nil)
      try store.save(SecretText("value \(index) \"\u{1F511}\\\n"), for: key(item))
    }
    for (index, item) in items.enumerated() {
      #expect(try store.load(key(item))?.text == "value \(index) \"\u{1F511}\\\n")
      #expect(try store.load(key(item, pool: "eu-west-1_b")) == nil)
    }
    try store.save(SecretText("newer"), for: key(.users))
    #expect(try store.load(key(.users))?.text == "newer")
    try store.delete(key(.session(username: "jane")))
    try store.delete(key(.session(username: "jane")))
    #expect(try store.load(key(.session(username: "jane"))) == nil)
    #expect(try store.load(key(.session(username: "Jane")))?.text == "value 2 \"\u{1F511}\\\n")
    let large = SecretText(String(repeating: "x", count: SessionKey.valueLimit + 1))
    #expect(throws: UserPoolClientError.self) { try store.save(large, for: key(.users)) }
    #expect(try store.load(key(.users))?.text == "newer")
  }

  @Test func memoryKeepsValuesByKey() throws { try Self.expectKeeps(MemorySessionStore()) }

  @Test func aFileKeepsValuesByKeyForItsOwnerAlone() throws {
    let folder = try Folder()
    let store = FileSessionStore(path: folder.file)
    #expect(try store.load(Self.key(.users)) == nil)
    try Self.expectKeeps(store)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // Another start reads the same.
    #expect(try FileSessionStore(path: folder.file).load(Self.key(.users))?.text == "newer")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["sessions.json", "sessions.json.lock"])
  }

  @Test func theLastValueRemovesTheFile() throws {
    let folder = try Folder()
    let store = FileSessionStore(path: folder.file)
    try store.save(SecretText("a"), for: Self.key(.users))
    try store.delete(Self.key(.users))
    #expect(!FileManager.default.fileExists(atPath: folder.file))
  }

  @Test func aFileThatOthersCanReadIsRefused() throws {
    let folder = try Folder()
    let store = FileSessionStore(path: folder.file)
    try store.save(SecretText("a"), for: Self.key(.users))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file)
    #expect { try store.load(Self.key(.users)) } throws: {
      ($0 as? UserPoolClientError)?.code == .storeUnavailable
    }
    #expect(throws: UserPoolClientError.self) { try store.save(SecretText("b"), for: Self.key(.users)) }
  }

  @Test func aSymbolicLinkIsNotFollowed() throws {
    let folder = try Folder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file, withDestinationPath: folder.path + "/elsewhere")
    let store = FileSessionStore(path: folder.file)
    #expect { try store.load(Self.key(.users)) } throws: {
      ($0 as? UserPoolClientError)?.code == .storeUnavailable
    }
  }

  @Test(arguments: [
    "", "{}", "[]", "{\"version\":2,\"values\":[]}", "{\"version\":1,\"values\":{}}",
    "{\"version\":1,\"values\":[1]}",
    "{\"version\":1,\"values\":[{\"pool\":\"p\",\"client\":\"c\",\"kind\":\"other\",\"value\":\"v\"}]}",
    "{\"version\":1,\"values\":[{\"pool\":\"p\",\"client\":\"c\",\"kind\":\"session\",\"value\":\"v\"}]}",
    "{\"version\":1,\"values\":[{\"pool\":\"p\",\"client\":\"c\",\"kind\":\"users\"}]}",
    "{\"version\":1,\"val",
  ])
  func anotherFileIsRefusedAndNotOverwritten(text: String) throws {
    let folder = try Folder()
    try folder.write(text)
    let store = FileSessionStore(path: folder.file)
    #expect(throws: UserPoolClientError.storeUnavailable("\(folder.file) is not a file of sessions")) {
      _ = try store.load(Self.key(.users))
    }
    #expect(throws: UserPoolClientError.self) { try store.save(SecretText("a"), for: Self.key(.users)) }
    #expect(throws: UserPoolClientError.self) { try store.delete(Self.key(.users)) }
    #expect(try String(contentsOfFile: folder.file, encoding: .utf8).isIdentical(to: text))
  }

  /// The document must have the only reference to the bytes: otherwise a copy would be wiped.
  @Test func textWithSecretsIsWiped() throws {
    var bytes = Array(#"{"refreshToken":"refresh-1"}"#.utf8)
    var document = try #require(JSONDocument.taking(&bytes))
    #expect(bytes.isEmpty && document.kind(at: 0) == .object)
    document.wipe()
    #expect(document.kind(at: 0) == .null && document.bytes.isEmpty)
    var malformed = Array(#"{"refreshToken":"refresh-1""#.utf8)
    let refused = JSONDocument.taking(&malformed)
    #expect(refused == nil && malformed.isEmpty)
  }

  @Test func aFolderThatIsAbsentIsAnError() throws {
    let store = FileSessionStore(path: "/nonexistent/folder/sessions.json")
    #expect(try store.load(Self.key(.users)) == nil)
    #expect { try store.save(SecretText("a"), for: Self.key(.users)) } throws: {
      ($0 as? UserPoolClientError)?.code == .storeUnavailable
    }
  }

  /// As by a process that was stopped.
  @Test func aLockThatIsHeldIsNotWaitedForWithoutEnd() throws {
    let folder = try Folder()
    let file = PrivateFile(path: folder.file)
    var isRefused = false
    try file.withLock { () throws(PrivateFile.Failure) in
      do throws(PrivateFile.Failure) {
        try file.withLock(attempts: 2) { () throws(PrivateFile.Failure) in }
      } catch { isRefused = true }
    }
    #expect(isRefused)
    try file.withLock(attempts: 1) { () throws(PrivateFile.Failure) in }
  }

  @Test func changesAtOnceLoseNothing() async throws {
    let folder = try Folder()
    let path = folder.file
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        // Each has a store of its own, as several programs would.
        group.addTask {
          let item = SessionKey.Item.session(username: "user \(index)")
          try? FileSessionStore(path: path).save(SecretText("\(index)"), for: Self.key(item))
        }
      }
    }
    let store = FileSessionStore(path: path)
    for index in 0..<20 {
      #expect(try store.load(Self.key(.session(username: "user \(index)")))?.text == "\(index)")
    }
  }
}
