internal import CognitoUserPool
internal import Testing
