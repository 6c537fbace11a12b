internal import TokenSecurityBase

/// Values by byte strings, in their order.
///
/// A copy shares its chunks with the original until one of them changes, so that taking a snapshot costs
/// nothing, and the first change after it copies one chunk and the list of chunks.
struct OrderedMap<Value: Sendable>: Sendable {
  private struct Chunk: Sendable {
    var keys: [[UInt8]]
    var values: [Value]
  }

  /// Chunks that are not empty, in order.
  private var chunks: [Chunk] = []
  private static var chunkLimit: Int { 256 }

  /// The position of a key: its chunk, the entry in it, and whether the key is there.
  private struct Position {
    var chunk: Int
    var entry: Int
    var isPresent: Bool
  }

  /// Finds a key, or where it would be inserted.
  private func position(_ key: [UInt8]) -> Position {
    // The last chunk whose first key is not after the key.
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if RecordKey.order(chunks[middle].keys[0], key) <= 0 { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return Position(chunk: 0, entry: 0, isPresent: false) }
    let chunk = low - 1
    (low, high) = (0, chunks[chunk].keys.count)
    while low < high {
      let middle = (low + high) / 2
      let order = RecordKey.order(chunks[chunk].keys[middle], key)
      if order == 0 { return Position(chunk: chunk, entry: middle, isPresent: true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return Position(chunk: chunk, entry: low, isPresent: false)
  }

  subscript(key: [UInt8]) -> Value? {
    let position = position(key)
    return position.isPresent ? chunks[position.chunk].values[position.entry] : nil
  }

  /// The value of the first key that begins with `prefix` and a zero byte.
  func first(_ prefix: [UInt8]) -> Value? {
    guard !chunks.isEmpty else { return nil }
    var position = position(prefix)
    if position.entry == chunks[position.chunk].keys.count {
      position.chunk += 1
      position.entry = 0
      guard position.chunk < chunks.count else { return nil }
    }
    let key = chunks[position.chunk].keys[position.entry]
    guard key.count > prefix.count, key[prefix.count] == 0, ByteWords.areEqual(key.span, from: 0, prefix.span)
    else { return nil }
    return chunks[position.chunk].values[position.entry]
  }

  /// Adds or replaces a value.
  mutating func put(_ key: [UInt8], _ value: Value) {
    let position = position(key)
    if position.isPresent {
      chunks[position.chunk].values[position.entry] = value
      return
    }
    guard !chunks.isEmpty else {
      chunks.append(Chunk(keys: [key], values: [value]))
      return
    }
    chunks[position.chunk].keys.insert(key, at: position.entry)
    chunks[position.chunk].values.insert(value, at: position.entry)
    let count = chunks[position.chunk].keys.count
    guard count > Self.chunkLimit else { return }
    let half = count / 2
    let second = Chunk(
      keys: Array(chunks[position.chunk].keys[half...]), values: Array(chunks[position.chunk].values[half...])
    )
    chunks[position.chunk].keys.removeSubrange(half...)
    chunks[position.chunk].values.removeSubrange(half...)
    chunks.insert(second, at: position.chunk + 1)
  }

  /// Removes and returns a value.
  @discardableResult
  mutating func remove(_ key: [UInt8]) -> Value? {
    let position = position(key)
    guard position.isPresent else { return nil }
    chunks[position.chunk].keys.remove(at: position.entry)
    let value = chunks[position.chunk].values.remove(at: position.entry)
    if chunks[position.chunk].keys.isEmpty { chunks.remove(at: position.chunk) }
    return value
  }

  /// Calls `body` with the entries from `lower` to before `upper`, until it returns false.
  func forEach(
    from lower: [UInt8], to upper: [UInt8], isDescending: Bool = false, _ body: ([UInt8], Value) -> Bool
  ) {
    guard !chunks.isEmpty else { return }
    var position = position(isDescending ? upper : lower)
    if isDescending {
      // The entry before the upper bound.
      while position.chunk >= 0 {
        position.entry -= 1
        while position.entry >= 0 {
          let key = chunks[position.chunk].keys[position.entry]
          guard RecordKey.order(key, lower) >= 0, body(key, chunks[position.chunk].values[position.entry])
          else {
            return
          }
          position.entry -= 1
        }
        position.chunk -= 1
        if position.chunk >= 0 { position.entry = chunks[position.chunk].keys.count }
      }
    } else {
      while position.chunk < chunks.count {
        while position.entry < chunks[position.chunk].keys.count {
          let key = chunks[position.chunk].keys[position.entry]
          guard RecordKey.order(key, upper) < 0, body(key, chunks[position.chunk].values[position.entry])
          else {
            return
          }
          position.entry += 1
        }
        position.chunk += 1
        position.entry = 0
      }
    }
  }
}
