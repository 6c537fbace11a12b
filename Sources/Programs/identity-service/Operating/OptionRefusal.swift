internal import TokenSecurityBase

/// A refusal by a service, in the words of the command line. Its code is that of the service's error.
struct OptionRefusal: CodedError {
  /// The service's error.
  let cause: any CodedError
  /// The option, its value and the rule.
  let sentence: String

  var details: (code: OperatingError.Code, sentence: String) { (.optionsWrong, sentence) }
  var codeText: String { cause.codeText }
}
