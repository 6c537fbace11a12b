/// Descriptions of this program's metrics.
enum MetricHelp {
  static let texts: [(name: String, text: String)] = [
    ("identity_calls_total", "Calls by operation and error code."),
    ("identity_call_seconds", "The time from a call's head to its response, by operation."),
    (
      "identity_ignored_members_total",
      "Members of requests that are not declared and were ignored, by operation and name."
    ),
    (
      "identity_session_keys_total",
      "Questions of APIs for signing keys of sessions, by the API's name and error code."
    ),
    ("identity_store_read_seconds", "The time of reads of the store, the cache's included."),
    (
      "identity_store_write_seconds",
      "The time of transactions that change the store, until they are durable."
    ),
    (
      "identity_forwarded_conflicts_total",
      "Requests of trusted proxies whose X-Forwarded-For and Forwarded name different clients."
    ),
    (
      "identity_messages_total",
      "Messages of user pools by medium, by what became of a try, and by error code."
    ),
    (
      "identity_push_messages_total",
      "Push messages of data sets, and removed endpoints, by what became of a try and by error code."
    ),
    ("identity_factor_failures_total", "Wrong answers of second factors, after the password, by factor."),
    (
      "identity_factors_closed_total",
      "Second factors of users that 100 wrong answers in a row have closed, by factor."
    ),
    (
      "identity_codes_closed_total",
      "Codes in place of a password that wrong ones have closed for a day, by challenge and bound."
    ),
    ("identity_outbox_messages", "Messages of user pools that wait, by medium."),
    (
      "identity_hook_calls_total",
      "Calls of functions of user pools by trigger and error code; each try is a call."
    ),
    ("identity_hook_functions_missing_total", "Calls of functions that are not configured."),
    ("identity_hook_call_seconds", "The time of calls of functions of user pools, by trigger."),
    ("identity_hook_calls_running", "Calls of functions of user pools that are under way."),
    ("identity_certificate_reloads_total", "Reloads of the certificate by outcome."),
  ]
}
