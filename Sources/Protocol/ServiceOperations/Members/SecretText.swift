package import TokenSecurityBase
internal import TokenSecurityCrypto

/// A secret text of a request or response: a password, a secret key.
///
/// It is wiped at the end of its lifetime and has no description.
public final class SecretText: MemberValue, CustomStringConvertible, CustomReflectable {
  private let bytes: SecretBytes

  /// A copy of UTF-8; nil for bytes that are not UTF-8.
  ///
  /// - Parameter text: the secret. It is not wiped.
  public init?(_ text: borrowing Span<UInt8>) {
    do { _ = try UTF8Span(validating: text.extracting(text.indices)) } catch { return nil }
    bytes = SecretBytes(text)
  }

  /// A copy of a text.
  ///
  /// - Parameter text: the secret. It is not wiped.
  public init(_ text: String) { bytes = SecretBytes(text.utf8.span) }

  private init(wiping text: inout [UInt8]) { bytes = SecretBytes(wiping: &text) }

  private init(checked text: borrowing Span<UInt8>) { bytes = SecretBytes(text) }

  /// A string of a JSON text; nil for another value. The copy that resolves its escapes is wiped.
  package static func string(_ document: JSONDocument, at place: JSONDocument.Place) -> SecretText? {
    guard document.kind(at: place) == .string else { return nil }
    guard document.isEscaped(at: place) else {
      return document.withBytes(at: place) { SecretText(checked: $0) }
    }
    var unescaped = document.unescaped(at: place)
    return SecretText(wiping: &unescaped)
  }

  /// An empty text, for a property that is set later.
  public convenience init() { self.init("") }

  /// Calls a closure with the UTF-8. Copies that it makes are not wiped.
  ///
  /// - Parameter body: reads the bytes.
  /// - Returns: the result of `body`.
  /// - Throws: the errors of `body`.
  public func withBytes<R: ~Copyable, E: Error>(
    _ body: (borrowing Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try bytes.withBytes(body)
  }

  /// Nothing of the secret.
  public var description: String { "***" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: TextBounds) -> MemberKind { .secret(bounds) }

  /// The constraints of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: TextBounds) -> [String] { bounds.constraints }

  /// Reads a secret.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the secret, or nil.
  public static func read(
    _ place: MemberPlace, _ bounds: TextBounds, from m: inout Members
  ) -> SecretText? {
    let secret: SecretText
    if let (document, node) = m.input.document(at: place), let text = string(document, at: node) {
      secret = text
    } else if let text = m.input.text(place) {
      secret = SecretText(text)
    } else {
      m.mismatch(at: place, type: "a String")
      return nil
    }
    m.hasSecrets = true
    let broken = secret.withBytes { bounds.broken(by: $0) }
    guard broken.isEmpty else {
      m.record(broken, at: place, isSensitive: true)
      return nil
    }
    return secret
  }

  /// Writes the secret.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: TextBounds, to m: inout Members) {
    if m.output.isRedacting { m.output.text("***") } else { withBytes { m.output.secret($0) } }
  }
}
