internal import Glibc
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A line of input.
struct Question {
  let object: JSONObject

  func text(_ name: String) -> String { object[name]?.string ?? "" }
  func flag(_ name: String) -> Bool? { object[name]?.bool }
  func number(_ name: String) -> Int64? { object[name]?.int64 }
  func secret(_ name: String) -> SecretBytes { SecretBytes(text(name).utf8.span) }

  /// Answers the lines of the standard input, one JSON object per line in and out.
  ///
  /// An error that `answer` throws is a member `error` with its sentence, one `code`, and one `type` if a service
  /// refused a call.
  static func answerAll(
    refusal: (any Error) -> String? = { _ in nil }, _ answer: (Question) async throws -> JSONObject
  ) async {
    while let line = readLine() {
      let limits = JSONLimits(size: 16 << 20)
      let object = (try? JSONDocument(Array(line.utf8), limits: limits))?.object() ?? JSONObject()
      var reply: JSONObject
      do {
        reply = try await answer(Question(object: object))
      } catch {
        reply = ["error": .string("\(error)")]
        if let fault = error as? any CodedError { reply["code"] = .string(fault.codeText) }
        reply["type"] = refusal(error).map { .string($0) }
      }
      print(String(decoding: JSONWriter.write(reply), as: UTF8.self))
      fflush(nil)
    }
  }
}

extension SecretBytes {
  /// The text.
  var json: JSONValue { .string(String(decoding: unwipedBytes(), as: UTF8.self)) }

  /// The bytes in hexadecimal digits.
  var hex: JSONValue { .string(Hex.string(unwipedBytes())) }
}
