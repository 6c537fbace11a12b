internal import CognitoSync
internal import ServiceOperations
internal import Testing

/// The declaration of the service and its patterns.
@Suite struct ModuleTests {
  @Test func theServiceHasItsSigningName() {
    #expect(dataSets.signingName == "cognito-sync")
  }

  @Test func patternsOfARNs() {
    for (bounds, allowed, others) in [
      (
        TextBounds.applicationARN,
        [
          "arn:aws:sns:eu-west-1:123456789012:app/APNS_SANDBOX/a.B-1_", "arn:aws:sns:-:0:app/_/.",
        ],
        [
          "", "arn:aws:sns:eu-west-1:123456789012:app/GCM/", "arn:aws:sns:eu-west-1:123456789012:app//app",
          "arn:aws:sns:eu-west-1:123456789012:app/gcm/app", "arn:aws:sns:EU:123456789012:app/GCM/app",
          "arn:aws:sns::123456789012:app/GCM/app", "arn:aws:sns:eu-west-1::app/GCM/app",
          "arn:aws:sns:eu-west-1:12a:app/GCM/app", "arn:aws:sns:eu-west-1:1:app/GCM/app/more",
          "arn:aws:sns:eu-west-1:1:app/GCM/app ", "arn:aws:sqs:eu-west-1:1:app/GCM/app",
          "arn:aws:sns:eu-west-1:١:app/GCM/app",
        ]
      ),
      (
        .pushRoleARN,
        ["arn:aws:iam::1:role/", "arn:aws:iam::123456789012:role/path/push", "arn:aws:iam::1:role/é b"],
        [
          "", "arn:aws:iam::1:role", "arn:aws:iam::123456789012:user/push", "arn:aws:iam:::role/pushpushpush",
          "arn:aws:iam::12a:role/pushpush", "arn:aws:iam::123456789012:role/a\nb",
          "arn:aws:iam::123456789012:role/a\r", "xarn:aws:iam::123456789012:role/push",
          "arn:aws:iam::123456789012:role/" + String(repeating: "a", count: 2_018),
        ]
      ),
    ] as [(TextBounds, [String], [String])] {
      for text in allowed { #expect(bounds.allows(text), "\(text)") }
      for text in others { #expect(!bounds.allows(text), "\(text)") }
    }
  }
}
