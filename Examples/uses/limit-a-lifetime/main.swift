import TokenLifetime

// Tokens for users of one's own: 15 minutes by default, 24 hours at most.
let rule = LifetimeRule.developerToken
print(try rule.validate(requested: nil))
print(try rule.validate(requested: .seconds(3_600)))
print(try LifetimeRule.presignedURL.validate(requested: .seconds(604_800)))
do {
  _ = try rule.validate(requested: .seconds(86_401))
} catch {
  print(error.codeText, "\(error)")
}
