/// The value of something that a reader of the documentation has already.
func given<Value: ~Copyable>() -> Value { fatalError() }
