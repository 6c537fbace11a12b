import CognitoUserPool

var service: UserPoolService { given() }
