internal import Foundation
internal import OpenIDConnect
internal import Testing

/// The file of `trust_roots` is read before it is needed.
@Suite struct TrustRootsTests {
  private static let root = """
    -----BEGIN CERTIFICATE-----
    MIIBhDCCASmgAwIBAgIUOJKldh611zy5pq+N7rmoUySCsNUwCgYIKoZIzj0EAwIw
    FzEVMBMGA1UEAwwMRXhhbXBsZSBSb290MB4XDTI2MTEyNzIyMTU0NFoXDTM2MTEy
    NDIyMTU0NFowFzEVMBMGA1UEAwwMRXhhbXBsZSBSb290MFkwEwYHKoZIzj0CAQYI
    KoZIzj0DAQcDQgAEXx2TfrN+Tnp0HTsHBVnTEe5cZH+uGWC3tbjIWbhH/Z3u+5J1
    D1Uose2sKuUBoYwqyfBmgApeoy78YjzU8Yj3ZqNTMFEwHQYDVR0OBBYEFBhXee/T
    mu4hE1O9XD2j0JSyFDxtMB8GA1UdIwQYMBaAFBhXee/Tmu4hE1O9XD2j0JSyFDxt
    MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAJCasx/ksyXjFOas
    OXWHbHvw1BEbBN4WiABPz0WKSj94AiEAhJZEK7NEK89Ftlwa0qOn4uEqGxDKzHgV
    u5dv7oSD6Wg=
    -----END CERTIFICATE-----

    """

  /// The message of a refusal; nil if the file can be used.
  private func refusal(_ contents: String?) throws -> String? {
    // A message has the beginning of a long path alone.
    let path = "/tmp/roots-\(UUID().uuidString).pem"
    defer { try? FileManager.default.removeItem(atPath: path) }
    if let contents { try contents.write(toFile: path, atomically: false, encoding: .utf8) }
    return try refusal(ofFile: path)?.replacing("\"\(path)\"", with: "FILE")
  }

  private func refusal(ofFile path: String) throws -> String? {
    let document = try PolicyDocument(
      Array(
        #"{"version":1,"issuers":[{"profile":"apple","client_ids":"a"}],"fetching":{"trust_roots":"\#(path)"}}"#
          .utf8))
    do throws(PolicyDocumentError) { try document.checkFiles() } catch {
      #expect(error.codeText == "policy_document_invalid")
      return "\(error)"
    }
    return nil
  }

  @Test func certificatesAreAccepted() throws {
    #expect(try refusal(Self.root) == nil)
    #expect(try refusal("text before\n" + Self.root + Self.root) == nil)
    // Texts that TLS clients accept or ignore.
    for marker in ["X509 CERTIFICATE", "TRUSTED CERTIFICATE"] {
      #expect(try refusal(Self.root.replacing("CERTIFICATE", with: marker)) == nil)
    }
    #expect(try refusal("\u{FEFF}# roots\n" + Self.root) == nil)
    #expect(try refusal("# of -----BEGIN CERTIFICATE-----\n" + Self.root) == nil)
    let label = String(repeating: "A", count: 90)
    #expect(try refusal("-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----\n" + Self.root) == nil)
    #expect(
      try refusal(
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + Self.root) == nil)
  }

  @Test func otherFilesAreRefused() throws {
    func rule(_ reason: String) -> String { "fetching.trust_roots is FILE, which cannot be used: \(reason)" }
    #expect(try refusal(nil) == rule("No such file or directory"))
    #expect(try refusal("") == rule("it has no certificate in PEM"))
    #expect(try refusal("certificate") == rule("it has no certificate in PEM"))
    #expect(
      try refusal("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
        == rule("it has no certificate in PEM"))
    for text in ["\u{FEFF}" + Self.root, Self.root + "\u{FEFF}" + Self.root] {
      #expect(try refusal(text) == rule("it has a byte order mark before a certificate"))
    }
    let short = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
    #expect(try refusal(short) == rule("its certificate number 1 cannot be read"))
    #expect(try refusal(Self.root + short) == rule("its certificate number 2 cannot be read"))
    #expect(try refusal(String(Self.root.prefix(300))) == rule("its certificate number 1 cannot be read"))
    // Nobody is asked for a password.
    let encrypted = Self.root.replacing(
      "-----BEGIN CERTIFICATE-----\n",
      with:
        "-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF\n\n"
    )
    #expect(try refusal(encrypted) == rule("its certificate number 1 cannot be read"))
    #expect(try refusal(ofFile: "/")?.hasSuffix("it is no regular file") == true)
    #expect(try refusal(ofFile: "/dev/zero")?.hasSuffix("it is no regular file") == true)
    // Reading it fails.
    #expect(try refusal(ofFile: "/proc/self/mem")?.hasSuffix("Input/output error") == true)
  }
}
