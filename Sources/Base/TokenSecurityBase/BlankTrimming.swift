extension UInt8 {
  /// True for a space and for the controls from tab to carriage return.
  package var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension ArraySlice<UInt8> {
  /// The bytes without leading and trailing spaces and tabs, HTTP's optional white space (RFC 9110 section
  /// 5.6.3).
  package var trimmingBlanks: ArraySlice<UInt8> {
    var rest = self
    while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
    return rest
  }
}
