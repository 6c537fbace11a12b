extension StaticString {
  /// The address of the text with its closing zero, which stays as long as the program runs: a string handed to libcrypto
  /// directly may lie at an address that is gone after the call, and names of parameters are read later.
  @unsafe
  var address: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
