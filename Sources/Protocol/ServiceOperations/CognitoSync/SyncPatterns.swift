extension TextBounds {
  /// The name of a new data set. One that came with a merged identity has a longer name.
  package static let newDatasetName = TextBounds(1...128, "[a-zA-Z0-9_.:-]+")
}

extension TextPattern {
  static let applicationARN = TextPattern(
    #"arn:aws:sns:[-0-9a-z]+:\d+:app/[A-Z_]+/[a-zA-Z0-9_.-]+"#,
    example: "arn:aws:sns:eu-west-1:123456789012:app/GCM/app",
    sequence: [
      "arn:aws:sns:", "[-0-9a-z]+", ":", "[0-9]+", ":app/", "[A-Z_]+", "/", "[a-zA-Z0-9_.-]+",
    ])
  // The name is on one line.
  static let pushRoleARN = TextPattern(
    #"arn:aws:iam::\d+:role/.*"#, example: "arn:aws:iam::123456789012:role/push",
    sequence: ["arn:aws:iam::", "[0-9]+", ":role/", #"[\S\t\x0B\x0C ]*"#])
}
