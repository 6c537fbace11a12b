internal import TokenSecurityBase

/// Writes members as JSON, as XML or as the fields of a form, and collects what goes into path and query.
struct MemberWriter: Sendable {
  enum Format: Sendable {
    case json
    case xml
    case form
  }

  enum Container {
    case structure
    case list
    case map
  }

  private let format: Format
  /// True where sensitive values are left out.
  let isRedacting: Bool
  private(set) var bytes: [UInt8] = []
  private(set) var outside: [(location: MemberLocation, value: String)] = []
  /// True while a value for path, query or header is written.
  private var isOutside = false
  private var outsideBytes: [UInt8] = []
  /// The names on the way to the current field of a form, and numbers of elements.
  private var names: [String] = []
  private var numbers: [Int] = []

  init(_ format: Format, isRedacting: Bool = false) {
    self.format = format
    self.isRedacting = isRedacting
  }

  /// Makes space in which most messages fit, so that the array does not grow while they are written.
  mutating func reserve() { bytes.reserveCapacity(512) }

  // MARK: Members

  /// Begins a member. Returns false where it is not written.
  mutating func begin(_ name: String, _ location: MemberLocation) -> Bool {
    guard location == .body || isRedacting else {
      isOutside = true
      outsideBytes = []
      return true
    }
    begin(name)
    return true
  }

  mutating func end(_ name: String, _ location: MemberLocation) {
    guard location == .body || isRedacting else {
      isOutside = false
      outside.append((location, String(decoding: outsideBytes, as: UTF8.self)))
      return
    }
    end(name)
  }

  private mutating func begin(_ name: String) {
    switch format {
    case .json:
      separate()
      JSONWriter.append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
    case .xml: bytes.append("<\(name)>")
    case .form: names.append(name)
    }
  }

  private mutating func end(_ name: String) {
    switch format {
    case .json: break
    case .xml: bytes.append("</\(name)>")
    case .form: names.removeLast()
    }
  }

  /// A comma between values. No value ends with an opening brace or bracket.
  private mutating func separate() {
    guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
    bytes.append(UInt8(ascii: ","))
  }

  // MARK: Containers

  mutating func open(_ container: Container) {
    switch format {
    case .json: bytes.append(container == .list ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    case .xml: break
    case .form: if container != .structure { numbers.append(0) }
    }
  }

  mutating func close(_ container: Container) {
    switch format {
    case .json: bytes.append(container == .list ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    case .xml: break
    case .form: if container != .structure { numbers.removeLast() }
    }
  }

  mutating func beginElement() {
    switch format {
    case .json: separate()
    case .xml: bytes.append("<member>")
    case .form: number("member")
    }
  }

  mutating func endElement() {
    switch format {
    case .json: break
    case .xml: bytes.append("</member>")
    case .form: names.removeLast(2)
    }
  }

  mutating func beginEntry(_ key: String) {
    switch format {
    case .json: begin(key)
    case .xml:
      bytes.append("<entry>")
      begin("key")
      text(key)
      end("key")
      begin("value")
    case .form:
      number("entry")
      begin("key")
      text(key)
      end("key")
      begin("value")
    }
  }

  mutating func endEntry() {
    switch format {
    case .json: break
    case .xml:
      end("value")
      bytes.append("</entry>")
    case .form:
      end("value")
      names.removeLast(2)
    }
  }

  private mutating func number(_ name: String) {
    let number = (numbers.popLast() ?? 0) + 1
    numbers.append(number)
    names += [name, "\(number)"]
  }

  // MARK: Values

  mutating func text(_ text: String) {
    guard !isOutside else {
      outsideBytes.append(text)
      return
    }
    switch format {
    case .json: JSONWriter.append(text, to: &bytes)
    case .xml: XMLEscaping.append(text.utf8.span, to: &bytes)
    case .form: field(text.utf8.span)
    }
  }

  /// A text of the protocol's own that needs no escapes: a number, `true`, `false`.
  mutating func plain(_ text: String) {
    guard !isOutside else {
      outsideBytes.append(text)
      return
    }
    if format == .form { field(text.utf8.span) } else { bytes.append(text) }
  }

  /// An instant: seconds since 1970 in JSON, RFC 3339 elsewhere.
  mutating func instant(seconds: String, text: String) {
    if format == .json, !isOutside { plain(seconds) } else { self.text(text) }
  }

  /// A secret, which is copied into the output alone.
  mutating func secret(_ text: borrowing Span<UInt8>) {
    guard !isOutside else {
      outsideBytes.append(copying: text)
      return
    }
    switch format {
    case .json: JSONWriter.append(text, to: &bytes)
    case .xml: XMLEscaping.append(text, to: &bytes)
    case .form: field(text)
    }
  }

  private mutating func field(_ value: borrowing Span<UInt8>) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    for (index, name) in names.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ".")) }
      PercentEncoding.append(name.utf8.span, keepingSlashes: false, to: &bytes)
    }
    bytes.append(UInt8(ascii: "="))
    PercentEncoding.append(value, keepingSlashes: false, to: &bytes)
  }
}
