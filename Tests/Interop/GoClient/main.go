// Runs the AWS SDK for Go against identity pools and STS: `main ADDRESS REGION`, one JSON object per line in and out.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/awserr"
	"github.com/aws/aws-sdk-go/aws/credentials"
	"github.com/aws/aws-sdk-go/aws/credentials/stscreds"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/cognitoidentity"
	"github.com/aws/aws-sdk-go/service/sts"
)

type question struct {
	Op, Pool, Identity, Role, Token string
	Logins                          map[string]string
	// Seconds.
	Duration int64
	// Access key id, secret access key and session token. None: the call is not signed.
	Key []string
}

type answer map[string]interface{}

func (q question) session() *session.Session {
	keys := credentials.AnonymousCredentials
	if len(q.Key) == 3 {
		keys = credentials.NewStaticCredentials(q.Key[0], q.Key[1], q.Key[2])
	}
	return session.Must(session.NewSession(
		aws.NewConfig().WithEndpoint(os.Args[1]).WithRegion(os.Args[2]).WithMaxRetries(0).WithCredentials(keys)))
}

// An empty map would be sent; a guest has no member for logins.
func (q question) logins() map[string]*string {
	if len(q.Logins) == 0 {
		return nil
	}
	return aws.StringMap(q.Logins)
}

// The token of an identity, as the SDK's provider of credentials fetches it.
type identityToken string

func (t identityToken) FetchToken(credentials.Context) ([]byte, error) { return []byte(t), nil }

func (q question) answer() (interface{}, error) {
	pools := cognitoidentity.New(q.session())
	switch q.Op {
	case "id":
		found, err := pools.GetId(&cognitoidentity.GetIdInput{IdentityPoolId: aws.String(q.Pool), Logins: q.logins()})
		if err != nil {
			return nil, err
		}
		return answer{"identity": found.IdentityId}, nil
	case "credentials":
		found, err := pools.GetCredentialsForIdentity(
			&cognitoidentity.GetCredentialsForIdentityInput{IdentityId: aws.String(q.Identity), Logins: q.logins()})
		if err != nil {
			return nil, err
		}
		made := found.Credentials
		return answer{
			"identity": found.IdentityId, "key": []*string{made.AccessKeyId, made.SecretKey, made.SessionToken},
			"expiration": made.Expiration.Unix()}, nil
	case "token":
		found, err := pools.GetOpenIdToken(
			&cognitoidentity.GetOpenIdTokenInput{IdentityId: aws.String(q.Identity), Logins: q.logins()})
		if err != nil {
			return nil, err
		}
		return answer{"identity": found.IdentityId, "token": found.Token}, nil
	case "developer token":
		found, err := pools.GetOpenIdTokenForDeveloperIdentity(&cognitoidentity.GetOpenIdTokenForDeveloperIdentityInput{
			IdentityPoolId: aws.String(q.Pool), Logins: q.logins(), TokenDuration: aws.Int64(q.Duration)})
		if err != nil {
			return nil, err
		}
		return answer{"identity": found.IdentityId, "token": found.Token}, nil
	case "describe":
		return pools.DescribeIdentityPool(&cognitoidentity.DescribeIdentityPoolInput{IdentityPoolId: aws.String(q.Pool)})
	case "role":
		provider := stscreds.NewWebIdentityRoleProviderWithOptions(
			sts.New(q.session()), q.Role, "go", identityToken(q.Token),
			func(options *stscreds.WebIdentityRoleProvider) {
				options.Duration = time.Duration(q.Duration) * time.Second
			})
		keys := credentials.NewCredentials(provider)
		value, err := keys.Get()
		if err != nil {
			return nil, err
		}
		end, err := keys.ExpiresAt()
		return answer{
			"key": []string{value.AccessKeyID, value.SecretAccessKey, value.SessionToken}, "expiration": end.Unix()}, err
	case "caller":
		return sts.New(q.session()).GetCallerIdentity(&sts.GetCallerIdentityInput{})
	}
	return nil, errors.New("unknown")
}

// The code of a refusal, and the SDK's type for it: exceptions of the model have types of their own.
func failure(err error) answer {
	failed := answer{"error": err.Error(), "type": fmt.Sprintf("%T", err)}
	var coded awserr.Error
	if errors.As(err, &coded) {
		failed["code"] = coded.Code()
		var cause awserr.Error
		if errors.As(coded.OrigErr(), &cause) {
			failed["cause"] = cause.Code()
		}
	}
	return failed
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		err := json.Unmarshal(lines.Bytes(), &asked)
		var found interface{}
		if err == nil {
			found, err = asked.answer()
		}
		if err != nil {
			found = failure(err)
		}
		if output.Encode(found) != nil {
			os.Exit(1)
		}
	}
}
