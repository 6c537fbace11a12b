internal import Testing
internal import TokenLifetime

/// Dates of e-mails (RFC 5322 section 3.3).
@Suite struct EmailDateTests {
  @Test(
    arguments: [
      // RFC 5322 appendix A.1.1, in UTC.
      (880_127_706, "Fri, 21 Nov 1997 15:55:06 +0000"),
      (1_793_689_265, "Tue, 03 Nov 2026 07:01:05 +0000"),
      (951_868_799, "Tue, 29 Feb 2000 23:59:59 +0000"),
      (0, "Thu, 01 Jan 1970 00:00:00 +0000"),
      (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
      (Int64.min, "Mon, 01 Jan 0001 00:00:00 +0000"),
      (Int64.max, "Fri, 31 Dec 9999 23:59:59 +0000"),
    ] as [(Int64, String)]) func datesHaveEnglishNames(_ seconds: Int64, _ text: String)
  {
    #expect(Timestamp(seconds: seconds).emailDate == text)
  }

  @Test func fractionsAreDropped() {
    let instant = Timestamp(seconds: 880_127_706) + .milliseconds(999)
    #expect(instant.emailDate == "Fri, 21 Nov 1997 15:55:06 +0000")
  }
}
