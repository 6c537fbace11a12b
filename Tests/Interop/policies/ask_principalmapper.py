"""principalmapper's answers to access policies: a line of JSON for each line with policies of a user and a request.

A program of its own: principalmapper has another licence (AGPL) and is only run.
"""
import collections
import collections.abc
import json
import sys

# principalmapper 1.1.5 takes them from where they were before Python 3.10.
collections.Mapping = collections.abc.Mapping
collections.MutableMapping = collections.abc.MutableMapping

from principalmapper.querying.local_policy_simulation import policy_has_matching_statement  # noqa: E402
from principalmapper.util.case_insensitive_dict import CaseInsensitiveDict  # noqa: E402

for line in sys.stdin:
    document = json.loads(line)
    request = document["request"]
    context = CaseInsensitiveDict({key: values[0] for key, values in request["context"].items()})
    matches = {effect: any(policy_has_matching_statement(policy, effect, request["action"], request["resource"], context)
                           for policy in document["policies"]["identity"]) for effect in ("Deny", "Allow")}
    print(json.dumps("explicitDeny" if matches["Deny"] else "allow" if matches["Allow"] else "implicitDeny"))
