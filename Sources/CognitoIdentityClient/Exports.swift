// What this module gives are credentials, and requests are signed with them.
@_exported public import AWSCredentials
