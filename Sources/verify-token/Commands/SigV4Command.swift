internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import SigV4

/// `verify-token sigv4`: requests signed with AWS Signature Version 4.
struct SigV4Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sigv4",
    abstract: "Verify, explain, sign and inspect requests signed with AWS Signature Version 4.",
    discussion: """
      EXAMPLES:
        Say whether a request's signature holds, and if not, why:

          verify-token sigv4 --secret-file secret request.http

        What curl has sent, with the answer of AWS that refused it:

          curl -v --aws-sigv4 aws:amz:us-east-1:s3 … 2> sent
          verify-token sigv4 --curl-verbose --answer answer.xml sent

        Sign a request for netcat; presign one for 15 minutes:

          verify-token sigv4 sign --region us-east-1 --service s3 request.http
          verify-token sigv4 sign --presign 15m --region us-east-1 \\
            --service s3 request.http

        What a presigned URL says, and what is risky about it:

          verify-token sigv4 inspect < url
      """,
    subcommands: [SigV4VerifyCommand.self, SigV4SignCommand.self, SigV4InspectCommand.self],
    defaultSubcommand: SigV4VerifyCommand.self)
}
