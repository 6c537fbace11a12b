extension StaticString {
  /// The address of the text, which ends with a zero and is valid while the program runs. A Swift string
  /// passed to libcrypto is valid only during the call, but names of parameters are read later.
  @unsafe
  var address: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
