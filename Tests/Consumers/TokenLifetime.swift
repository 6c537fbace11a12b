import TokenLifetime

print("developer tokens live", try LifetimeRule.developerToken.validate(requested: nil))
