/// The objects of handles. The owner of a handle has a reference to its object.
enum Handle {
  /// A handle of an object, which the caller owns.
  static func make(_ object: some AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// The object of a handle, which the caller keeps.
  static func object<Object: AnyObject>(
    _ handle: OpaquePointer?, _ name: String, as type: Object.Type = Object.self
  ) throws(CallError) -> Object {
    guard let handle = unsafe handle else { throw .argumentMissing(name) }
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    guard let object = object as? Object else { throw .handleWrong(name) }
    return object
  }

  /// Gives the reference of a handle back. Nothing happens for null and for a handle of another kind.
  static func free<Object: AnyObject>(_ handle: OpaquePointer?, as type: Object.Type) {
    guard let object = try? unsafe Handle.object(handle, "handle", as: type) else { return }
    unsafe Unmanaged.passUnretained(object).release()
  }
}

/// Runs the body of a C function: 0 for success, 1 for an error, which the caller gets if it wants it.
func call(_ error: UnsafeMutablePointer<ErrorHandle?>?, _ body: () throws -> Void) -> Int32 {
  do {
    try body()
    unsafe error?.pointee = nil
    return 0
  } catch let thrown {
    if let error = unsafe error { unsafe error.pointee = Handle.make(ErrorObject(thrown)) }
    return 1
  }
}

/// Where a function puts what it returns. It is null after a failure.
func result<Value>(
  _ output: UnsafeMutablePointer<Value?>?, _ name: String
) throws(CallError) -> UnsafeMutablePointer<Value?> {
  guard let output = unsafe output else { throw .argumentMissing(name) }
  unsafe output.pointee = nil
  return unsafe output
}
