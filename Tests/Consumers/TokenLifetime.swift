import TokenLifetime

print("developer tokens live", try LifetimeRule.developerToken.judge(requested: nil))
