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

  /// The place of a key: its chunk, the place in it, and whether the key is there.
  private struct Place {
    var chunk: Int
    var entry: Int
    var isPresent: Bool
  }

  /// Finds a key, or where it would be inserted.
  private func place(_ key: [UInt8]) -> Place {
    // The last chunk whose first key is not after the key.
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if RecordKey.order(chunks[middle].keys[0], key) <= 0 { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return Place(chunk: 0, entry: 0, isPresent: false) }
    let chunk = low - 1
    (low, high) = (0, chunks[chunk].keys.count)
    while low < high {
      let middle = (low + high) / 2
      let order = RecordKey.order(chunks[chunk].keys[middle], key)
      if order == 0 { return Place(chunk: chunk, entry: middle, isPresent: true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return Place(chunk: chunk, entry: low, isPresent: false)
  }

  subscript(key: [UInt8]) -> Value? {
    let place = place(key)
    return place.isPresent ? chunks[place.chunk].values[place.entry] : nil
  }

  /// The value of the first key that begins with `prefix` and a zero byte.
  func first(_ prefix: [UInt8]) -> Value? {
    guard !chunks.isEmpty else { return nil }
    var place = place(prefix)
    if place.entry == chunks[place.chunk].keys.count {
      place.chunk += 1
      place.entry = 0
      guard place.chunk < chunks.count else { return nil }
    }
    let key = chunks[place.chunk].keys[place.entry]
    guard key.count > prefix.count, key[prefix.count] == 0, ByteWords.areEqual(key.span, from: 0, prefix.span)
    else { return nil }
    return chunks[place.chunk].values[place.entry]
  }

  /// Adds or replaces a value.
  mutating func put(_ key: [UInt8], _ value: Value) {
    let place = place(key)
    if place.isPresent {
      chunks[place.chunk].values[place.entry] = value
      return
    }
    guard !chunks.isEmpty else {
      chunks.append(Chunk(keys: [key], values: [value]))
      return
    }
    chunks[place.chunk].keys.insert(key, at: place.entry)
    chunks[place.chunk].values.insert(value, at: place.entry)
    let count = chunks[place.chunk].keys.count
    guard count > Self.chunkLimit else { return }
    let half = count / 2
    let second = Chunk(
      keys: Array(chunks[place.chunk].keys[half...]), values: Array(chunks[place.chunk].values[half...]))
    chunks[place.chunk].keys.removeSubrange(half...)
    chunks[place.chunk].values.removeSubrange(half...)
    chunks.insert(second, at: place.chunk + 1)
  }

  /// Removes and returns a value.
  @discardableResult
  mutating func remove(_ key: [UInt8]) -> Value? {
    let place = place(key)
    guard place.isPresent else { return nil }
    chunks[place.chunk].keys.remove(at: place.entry)
    let value = chunks[place.chunk].values.remove(at: place.entry)
    if chunks[place.chunk].keys.isEmpty { chunks.remove(at: place.chunk) }
    return value
  }

  /// Calls `body` with the entries from `lower` to before `upper`, until it returns false.
  func forEach(
    from lower: [UInt8], to upper: [UInt8], isDescending: Bool = false, _ body: ([UInt8], Value) -> Bool
  ) {
    guard !chunks.isEmpty else { return }
    var place = place(isDescending ? upper : lower)
    if isDescending {
      // The entry before the upper bound.
      while place.chunk >= 0 {
        place.entry -= 1
        while place.entry >= 0 {
          let key = chunks[place.chunk].keys[place.entry]
          guard RecordKey.order(key, lower) >= 0, body(key, chunks[place.chunk].values[place.entry]) else {
            return
          }
          place.entry -= 1
        }
        place.chunk -= 1
        if place.chunk >= 0 { place.entry = chunks[place.chunk].keys.count }
      }
    } else {
      while place.chunk < chunks.count {
        while place.entry < chunks[place.chunk].keys.count {
          let key = chunks[place.chunk].keys[place.entry]
          guard RecordKey.order(key, upper) < 0, body(key, chunks[place.chunk].values[place.entry]) else {
            return
          }
          place.entry += 1
        }
        place.chunk += 1
        place.entry = 0
      }
    }
  }
}
