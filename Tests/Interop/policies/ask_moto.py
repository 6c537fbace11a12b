"""moto's answers to access policies: a line of JSON for each line with policies of a user and a request.

As in moto, a policy that denies is final, and otherwise one that permits is enough.
"""
import json
import sys

from moto.iam.access_control import IAMPolicy, PermissionResult

for line in sys.stdin:
    document = json.loads(line)
    request = document["request"]
    answers = [IAMPolicy({"policy_document": json.dumps(policy)}).is_action_permitted(request["action"], request["resource"], None, {})
               for policy in document["policies"]["identity"]]
    print(json.dumps("explicitDeny" if PermissionResult.DENIED in answers else
                     "allow" if PermissionResult.PERMITTED in answers else "implicitDeny"))
