internal import ArgumentParser

/// `verify-token sigv4`: requests signed with AWS Signature Version 4.
struct SigV4Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sigv4",
    abstract: "Verify, explain, sign and inspect requests signed with AWS Signature Version 4.",
    discussion: """
      EXAMPLES:
        Verify a request's signature, and explain a failure:

          verify-token sigv4 --secret-file secret request.http

        Compare a request sent by curl with the error response of AWS:

          curl -v --aws-sigv4 aws:amz:us-east-1:s3 --user "$id:$secret" \\
            https://bucket.s3.amazonaws.com/ 2> sent > answer.xml
          verify-token sigv4 --secret-file secret --curl-verbose \\
            --answer answer.xml sent

        Sign a request; presign one for 15 minutes:

          verify-token sigv4 sign --region us-east-1 --service s3 request.http
          verify-token sigv4 sign --presign 15m --region us-east-1 \\
            --service s3 request.http

        Show the contents and the risks of a presigned URL:

          verify-token sigv4 inspect < url
      """,
    subcommands: [SigV4VerifyCommand.self, SigV4SignCommand.self, SigV4InspectCommand.self],
    defaultSubcommand: SigV4VerifyCommand.self)
}
