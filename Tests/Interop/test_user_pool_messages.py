"""Messages to users: a file, a webhook and a mail program, and an outbox that survives restarts."""
import email
import email.policy
import json
import signal
import stat
import textwrap

import pytest
from botocore.exceptions import ClientError

from identity_support import Service, run
from raw_http import call, connect, is_read, response
from waiting import LIMIT, eventually
from webhook_support import SECRET, Receiver, private

INVITATION = {"Name": "email", "Value": "jane@example.com"}


def pool(service, **settings):
    return service.client("cognito-idp").create_user_pool(PoolName="app", **settings)["UserPool"]["Id"]


def invite(service, pool_id, name="jane", **more):
    """Makes a user, who gets a temporary password."""
    service.client("cognito-idp").admin_create_user(
        UserPoolId=pool_id, Username=name, UserAttributes=[INVITATION], DesiredDeliveryMediums=["EMAIL"], **more)


def test_a_user_without_an_invitation(tmp_path):
    """Without a named medium an invitation goes by SMS: without a number there is none, and the log says so."""
    service = Service(tmp_path / "data", "--message-file", tmp_path / "messages.jsonl")
    try:
        pool_id = pool(service)
        admin = service.client("cognito-idp")
        for name, action in (("jane", {}), ("joe", {"MessageAction": "SUPPRESS"})):
            admin.admin_create_user(UserPoolId=pool_id, Username=name, UserAttributes=[INVITATION], **action)
        with pytest.raises(ClientError) as refused:
            admin.admin_create_user(UserPoolId=pool_id, Username="jim", DesiredDeliveryMediums=["EMAIL"])
        assert refused.value.response["Error"]["Code"] == "InvalidParameterException"
        assert refused.value.response["Error"]["Message"] == "No email provided but desired delivery medium was Email"
        eventually(lambda: [line for line in service.log if "no invitation was sent" in line])
        [warning] = [json.loads(line) for line in service.log if "no invitation was sent" in line]
        assert warning["level"] == "warning" and warning["operation"] == "AdminCreateUser" and warning["pool"] == pool_id
        check_log(service)
        # It can be sent afterwards.
        invite(service, pool_id, MessageAction="RESEND")
        eventually(lambda: lines(tmp_path / "messages.jsonl"))
    finally:
        service.stop()


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def check_log(service, *secrets):
    """No line of the log has a code, a password or an address."""
    log = "".join(service.log)
    for text in (*secrets, "jane@example.com"):
        assert text not in log


class TestFile:
    @pytest.fixture
    def service(self, tmp_path):
        service = Service(tmp_path / "data", "--message-file", tmp_path / "messages.jsonl", "--log-level", "trace")
        yield service
        service.stop()

    def test_a_message_is_a_line(self, service, tmp_path):
        path = tmp_path / "messages.jsonl"
        pool_id = pool(service)
        invite(service, pool_id)
        eventually(lambda: lines(path))
        [message] = lines(path)
        assert message["userPoolId"] == pool_id and message["userName"] == "jane"
        assert message["triggerSource"] == "CustomMessage_AdminCreateUser"
        assert message["deliveryMedium"] == "EMAIL" and message["destination"] == "jane@example.com"
        assert message["subject"] == "Your temporary password"
        assert message["message"].startswith("Your username is jane and temporary password is ")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        check_log(service, message["code"])

    def test_a_renamed_file_is_made_again(self, service, tmp_path):
        path = tmp_path / "messages.jsonl"
        pool_id = pool(service)
        for number in range(3):
            if number:
                path.rename(tmp_path / f"messages.{number}")
            if number == 2:
                service.process.send_signal(signal.SIGHUP)
                eventually(path.exists)
            invite(service, pool_id, f"jane-{number}")
            eventually(lambda: [line["userName"] for line in lines(path)] == [f"jane-{number}"])
            assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_file_that_others_can_read_is_refused(self, tmp_path):
        path = tmp_path / "messages.jsonl"
        path.write_text("")
        path.chmod(0o644)
        done = run("serve", "--data", tmp_path / "data", "--port", "0", "--message-file", path)
        assert done.returncode != 0 and "mode 600" in done.stderr


class TestWebhook:
    @pytest.fixture
    def receiver(self):
        receiver = Receiver()
        yield receiver
        receiver.stop()

    def service(self, folder, url):
        secret = private(folder / "secret", SECRET + "\n")
        return Service(folder / "data", "--message-webhook", url, "--message-secret", secret, "--log-level", "trace")

    def test_a_message_is_posted_and_signed(self, tmp_path, receiver):
        service = self.service(tmp_path, receiver.url + "/messages")
        try:
            invite(service, pool(service))
            eventually(lambda: receiver.requests)
            [(path, headers, message)] = receiver.requests
            assert path == "/messages" and headers["Content-Type"] == "application/json"
            assert message["destination"] == "jane@example.com" and message["code"] in message["message"]
            assert receiver.unsigned == 0
            check_log(service, message["code"], SECRET)
        finally:
            service.stop()

    def test_a_message_is_tried_again_with_its_id(self, tmp_path, receiver):
        receiver.answer = lambda path, body: (503 if len(receiver.requests) < 3 else 204, b"", {})
        service = self.service(tmp_path, receiver.url)
        try:
            invite(service, pool(service))
            eventually(lambda: len(receiver.requests) == 3)
            assert len({body["id"] for body in receiver.bodies()}) == 1
            assert all(body == receiver.bodies()[0] for body in receiver.bodies())
            check_log(service, receiver.bodies()[0]["code"])
        finally:
            service.stop()

    def test_a_refused_message_is_not_repeated(self, tmp_path, receiver):
        receiver.answer = lambda path, body: (422, b"", {})
        service = self.service(tmp_path, receiver.url)
        try:
            invite(service, pool(service))
            eventually(lambda: any("message could not be sent" in line for line in service.log))
            # Whoever gives an address can cause it.
            assert {line["level"] for line in map(json.loads, service.log) if "could not be sent" in line["message"]} == {"info"}
            assert len(receiver.requests) == 1
            check_log(service, receiver.bodies()[0]["code"])
        finally:
            service.stop()

    def test_the_outbox_survives_a_restart(self, tmp_path, receiver):
        url = receiver.url
        receiver.stop()
        service = self.service(tmp_path, url)
        pool_id = pool(service)
        for number in range(10):
            invite(service, pool_id, f"jane-{number}")
        service.kill()
        database = b"".join(path.read_bytes() for path in (tmp_path / "data").glob("*.sqlite*"))
        assert b"jane-3" in database and b"temporary password" not in database
        later = Receiver()
        service.options = tuple(later.url if option == url else option for option in service.options)
        service.start()
        try:
            # A node that was killed keeps its leases for a minute.
            eventually(lambda: len({body["userName"] for body in later.bodies()}) == 10)
            assert len({body["id"] for body in later.bodies()}) == 10
        finally:
            service.stop()
            later.stop()

    @pytest.mark.parametrize("url, secret, mode, expected", [
        ("http://192.0.2.1/", SECRET, 0o600, "must be an https URL"),
        ("ftp://example.com/", SECRET, 0o600, "does not begin with https"),
        ("https://example.com/", "short", 0o600, "fewer than 16 bytes"),
        ("https://example.com/", SECRET, 0o644, "mode 600"),
    ])
    def test_wrong_settings_are_refused(self, tmp_path, url, secret, mode, expected):
        file = private(tmp_path / "secret", secret)
        file.chmod(mode)
        done = run("serve", "--data", tmp_path / "data", "--port", "0", "--message-webhook", url, "--message-secret", file)
        assert done.returncode != 0 and expected in done.stderr
        assert SECRET not in done.stderr

    def test_only_one_way_can_be_set(self, tmp_path):
        done = run("serve", "--data", tmp_path / "data", "--port", "0", "--message-file", tmp_path / "m", "--mail-program", "/bin/true",
                   "--mail-from", "app@example.com")
        assert done.returncode != 0 and "only one of" in done.stderr
        done = run("serve", "--data", tmp_path / "data", "--port", "0", "--message-webhook", "https://example.com/")
        assert done.returncode != 0 and "--message-secret must be set together" in done.stderr


class TestMailProgram:
    def program(self, folder, end="sys.exit(0)"):
        """A program that notes how it was called."""
        path = folder / "mail-program"
        path.write_text(textwrap.dedent(f"""\
            #!/usr/bin/python3
            import json, os, sys
            calls = {str(folder / "calls")!r}
            data = sys.stdin.buffer.read()
            files = sorted(int(name) for name in os.listdir("/proc/self/fd"))
            with open(calls, "a") as file:
                json.dump({{"arguments": sys.argv[1:], "mail": data.decode(), "environment": dict(os.environ),
                            "files": files, "folder": os.getcwd()}}, file)
                file.write("\\n")
            count = len(open(calls).readlines())
            {end}
            """))
        path.chmod(0o755)
        return path

    def service(self, folder, program):
        return Service(folder / "data", "--mail-program", program, "--mail-from", "app@example.com", "--log-level", "trace",
                       environment={"A_SECRET_OF_THE_SERVICE": "1"})

    def test_it_gets_the_mail(self, tmp_path):
        service = self.service(tmp_path, self.program(tmp_path))
        try:
            subject = "Grüße, {username}: " + "ß" * 100
            pool_id = pool(service, AdminCreateUserConfig={"InviteMessageTemplate": {
                "EmailMessage": "<p>Hello {username},\r\n\r\n.\r\nFrom: x\r\n{####}</p>", "EmailSubject": subject,
                "SMSMessage": "{username} {####}"}})
            invite(service, pool_id)
            eventually(lambda: lines(tmp_path / "calls"))
            [call] = lines(tmp_path / "calls")
            assert call["arguments"] == ["-i", "-f", "app@example.com", "--", "jane@example.com"]
            assert set(call["environment"]) <= {"PATH", "LC_ALL", "LC_CTYPE"}
            # Standard input, output and error, and the folder that is listed.
            assert call["files"] == [0, 1, 2, 3] and call["folder"] == "/"
            mail = email.message_from_string(call["mail"], policy=email.policy.default)
            assert mail["From"] == "<app@example.com>" or mail["From"] == "app@example.com"
            assert str(mail["To"]).strip("<>") == "jane@example.com"
            assert mail["Subject"] == subject.replace("{username}", "jane")
            assert mail.get_content_type() == "text/html" and mail["Auto-Submitted"] == "auto-generated"
            assert email.utils.parsedate_to_datetime(mail["Date"]).tzinfo is not None
            text = mail.get_content()
            assert text.startswith("<p>Hello jane,") and "From: x" in text
            assert all(len(line) <= 76 for line in call["mail"].splitlines())
            assert sorted(mail.keys()) == sorted([
                "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted"])
        finally:
            service.stop()

    def test_a_temporary_failure_is_tried_again(self, tmp_path):
        service = self.service(tmp_path, self.program(tmp_path, "sys.exit(75 if count < 2 else 0)"))
        try:
            invite(service, pool(service))
            eventually(lambda: len(lines(tmp_path / "calls")) == 2)
            ids = {email.message_from_string(call["mail"])["Message-ID"] for call in lines(tmp_path / "calls")}
            assert len(ids) == 1
        finally:
            service.stop()

    def test_a_shutdown_begins_no_mail_and_ends_those_that_have_begun(self, tmp_path):
        """The mail of a call that ends after the signal waits for the next start."""
        gate = tmp_path / "gate"
        program = self.program(tmp_path, f"import time; [time.sleep(0.05) for _ in iter(lambda: os.path.exists({str(gate)!r}), True)]")
        service = Service(tmp_path / "data", "--mail-program", program, "--mail-from", "app@example.com", "--request-timeout", 30,
                          "--shutdown-timeout", 30)
        pool_id = pool(service, AutoVerifiedAttributes=["email"])
        client = service.client("cognito-idp").create_user_pool_client(UserPoolId=pool_id, ClientName="c")["UserPoolClient"]["ClientId"]
        invite(service, pool_id)
        eventually(lambda: lines(tmp_path / "calls"))
        attributes = [{"Name": "email", "Value": "joe@example.com"}]
        data = call("AWSCognitoIdentityProviderService.SignUp", json.dumps(
            {"ClientId": client, "Username": "joe", "Password": "Pa55word!joe", "UserAttributes": attributes}).encode())
        with connect(service) as slow:
            slow.sendall(data[:-10])
            eventually(lambda: is_read(slow))
            service.process.send_signal(signal.SIGTERM)
            eventually(lambda: any('"stopping"' in line for line in service.log))
            slow.sendall(data[-10:])
            assert response(slow)[0] == 200
        gate.touch()
        assert service.process.wait(LIMIT) == 0
        assert len(lines(tmp_path / "calls")) == 1
        service.start()
        try:
            eventually(lambda: len(lines(tmp_path / "calls")) == 2)
            assert ["jane@example.com" in one["mail"] for one in lines(tmp_path / "calls")] == [True, False]
        finally:
            service.stop()

    def test_a_program_that_does_not_read_leaves_the_service_alone(self, tmp_path):
        program = tmp_path / "mail-program"
        program.write_text(f"#!/bin/sh\nexec 0<&-\necho called >> {tmp_path}/calls\nexit 75\n")
        program.chmod(0o755)
        service = self.service(tmp_path, program)
        try:
            template = {"EmailMessage": "{username} {####}" + "x" * 19_900, "EmailSubject": "s", "SMSMessage": "{username} {####}"}
            pool_id = pool(service, AdminCreateUserConfig={"InviteMessageTemplate": template})
            for number in range(8):
                invite(service, pool_id, f"jane-{number}")
            eventually(lambda: (tmp_path / "calls").exists() and len((tmp_path / "calls").read_text().splitlines()) >= 12)
            assert service.process.poll() is None
        finally:
            service.stop()

    def test_an_unknown_address_is_not(self, tmp_path):
        service = self.service(tmp_path, self.program(tmp_path, "sys.exit(67)"))
        try:
            invite(service, pool(service))
            eventually(lambda: any("message_refused" in line for line in service.log))
            assert len(lines(tmp_path / "calls")) == 1
            check_log(service)
        finally:
            service.stop()

    @pytest.mark.parametrize("program, sender, expected", [
        ("mail", "app@example.com", "must be an absolute path"),
        ("/nonexistent/mail", "app@example.com", "cannot be executed"),
        ("/bin/true", "app@example.com\nBcc: x@example.com", "is not an e-mail address"),
        ("/bin/true", "-oQ/tmp@example.com", "is not an e-mail address"),
    ])
    def test_wrong_settings_are_refused(self, tmp_path, program, sender, expected):
        done = run("serve", "--data", tmp_path / "data", "--port", "0", f"--mail-program={program}", f"--mail-from={sender}")
        assert done.returncode != 0 and expected in done.stderr
