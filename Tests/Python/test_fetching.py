"""Keys that the package fetches: on the calling thread, over TLS, within a size and a total time; from hostile servers too."""
import base64
import json
import socket
import threading
import types

import pytest

from ports import closed_port
from servers import Server, made_certificate, response, silent, trickle
from support import CLIENT, KEYS, POOL, THEN, TOKEN, code, fetching
from token_security import TokenSecurityError, Verifier, _connection, _http
from waiting import eventually


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return made_certificate(tmp_path_factory.mktemp("tls"), "DNS:localhost,IP:127.0.0.1")


@pytest.fixture
def serve():
    servers = []

    def start(*arguments, **options):
        servers.append(Server(*arguments, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def secure(server, roots, timeout=60, fetch_timeout=60, host="localhost", proxy=None, path="/keys", scheme="https"):
    return Verifier.from_policy({
        "version": 1, "fetching": {"trust_roots": str(roots), "timeout": fetch_timeout},
        "issuers": [{"profile": "cognito-user-pool", "pool": POOL, "use": "access", "client_ids": CLIENT,
                     "keys": {"jwks_uri": f"{scheme}://{host}:{server.port}{path}"}}]}, timeout=timeout, proxy=proxy)


def verified(verifier):
    return verifier.verify(TOKEN, at=THEN).subject is not None


def refusal(verifier):
    with pytest.raises(TokenSecurityError) as refused:
        verifier.verify(TOKEN, at=THEN)
    return refused.value


def test_keys_over_tls(serve, certificate):
    server = serve(response(fields=["Cache-Control: max-age=4000", 'ETag: "v1"']), certificate)
    verifier = secure(server, certificate, path="/keys?a=b")
    assert verified(verifier) and verified(verifier) and verifier.refresh() <= 3000
    [request] = server.requests
    assert request.split("\r\n") == [
        "GET /keys?a=b HTTP/1.1", f"Host: localhost:{server.port}", "Accept: application/jwk-set+json, application/json",
        "User-Agent: token-security", "Connection: close", "", ""]


def test_a_scheme_in_capitals(serve, certificate):
    """It is that of TLS, through the proxy, too."""
    server = serve(response(), certificate)
    assert verified(secure(server, certificate, scheme="HTTPS"))
    plain = serve(response(), read=False)
    assert refusal(secure(plain, certificate, scheme="HttpS")).code == "fetch_connection"
    proxy = serve(tunnel)
    assert code(Verifier(
        issuer="https://a.example", audience="b", jwks_uri="HTTPS://issuer.example/keys", timeout=60,
        proxy=f"http://127.0.0.1:{proxy.port}").refresh) == "fetch_connection"
    assert len(proxy.requests) == 1 and proxy.requests[0].startswith("CONNECT issuer.example:443 ")


@pytest.mark.parametrize("url", ["HTTPS://127.0.0.1:{}/", "HTTP://127.0.0.1:{}/", "https:127.0.0.1:{}/", "ftp://127.0.0.1:{}/", "127.0.0.1:{}/",
                                 "http://127.0.0.1.example:{}/"])
def test_what_is_not_exactly_a_scheme_is_not_fetched(serve, monkeypatch, url):
    """Whatever the library says."""
    plain = serve(response())

    class Library:
        def __getattr__(self, name):
            return (lambda _: url.format(plain.port).encode()) if name == "ts_fetch_url" else getattr(library, name)

    library = _http.library
    monkeypatch.setattr(_http, "library", Library())
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("a name was resolved"))
    error = refusal(fetching(plain.port))
    assert error.code == "fetch_connection" and "not https" in str(error) and plain.requests == []


def test_the_machine_trusts_no_such_certificate(serve, certificate):
    server = serve(response(), certificate)
    verifier = Verifier(
        issuer="https://issuer.example", audience="api", jwks_uri=f"https://localhost:{server.port}/", timeout=60)
    assert code(verifier.refresh) == "fetch_connection" and server.requests == []


@pytest.mark.parametrize("names", ["DNS:evil.example", "IP:127.0.0.2"])
def test_certificates_are_checked(serve, certificate, tmp_path, names):
    other = made_certificate(tmp_path, names)
    for server, roots, host in [(serve(response(), other), other, "localhost"), (serve(response(), other), other, "127.0.0.1"),
                                (serve(response(), certificate), other, "localhost")]:
        error = refusal(secure(server, roots, host=host))
        assert error.code == "fetch_connection" and "certificate is not trusted for this name" in str(error)
        assert server.requests == []


def test_discovery(serve, certificate):
    def play(_, request):
        if request.startswith("GET /.well-known/openid-configuration "):
            return response(json.dumps({"issuer": issuer, "jwks_uri": f"{issuer}/keys"}))
        return response()

    server = serve(play, certificate)
    issuer = f"https://127.0.0.1:{server.port}"
    verifier = Verifier(issuer=issuer, audience="api", trust_roots=str(certificate), timeout=60)
    assert verifier.refresh() > 600 and len(server.requests) == 2


CHUNKS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"


def chunked(*parts, end=b"0\r\nX-Trailer: a\r\n\r\n"):
    return CHUNKS + b"".join(b"%x;name=value\r\n%s\r\n" % (len(part), part) for part in parts) + end


@pytest.mark.parametrize("sent", [
    response(), b"HTTP/1.0 200 OK\r\n\r\n" + KEYS.encode(), chunked(KEYS[:10].encode(), KEYS[10:].encode()),
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + response(),
    response(fields=["Content-Encoding: Identity"]), b"HTTP/1.1 200\r\n\r\n" + KEYS.encode(),
    response(fields=[f"Content-Length: {len(KEYS.encode())}"])], ids=range(7))
@pytest.mark.parametrize("is_secure", [False, True])
def test_forms_of_a_response(serve, certificate, sent, is_secure):
    server = serve(sent, certificate if is_secure else None)
    assert verified(secure(server, certificate) if is_secure else fetching(server.port))


REFUSED = [
    (response("{}", "500 Internal Server Error"), "fetch_status"), (response("{}", "404 Not Found"), "fetch_status"),
    (response("", "204 No Content"), "fetch_status"), (response("", "304 Not Modified"), "fetch_status"),
    (response("<html></html>", type="text/html; charset=utf-8"), "fetch_web_page"), (response('{"keys":[]}'), "fetch_no_usable_key"),
    (response('{"keys":[{"kty":"EC"}]}'), "fetch_no_usable_key"), (response("[]"), "fetch_unreadable"),
    (response("", "302 Found", ["Location: http://127.0.0.1/other"]), "fetch_redirect"),
    (response("", "307 Temporary Redirect", ["Location: /other"]), "fetch_redirect"),
    (response("", "308 Permanent Redirect", ["Location: file:///etc/passwd"]), "fetch_redirect"),
    (response(KEYS[:-10]), "fetch_unreadable"),
    # A body that ends early, in each form.
    (response()[:-10], "fetch_connection"), (chunked(KEYS.encode())[:-100], "fetch_connection"),
    (chunked(KEYS.encode(), end=b"0\r\nX-Trailer: a\r\n"), "fetch_connection"), (b"HTTP/1.1 200 OK\r\nContent-Le", "fetch_connection"),
    (b"", "fetch_connection"),
    # What is not HTTP, or could be read in two ways.
    (b"SSH-2.0-OpenSSH_9.2\r\n", "fetch_connection"), (b"HTTP/2.0 200 OK\r\n\r\n", "fetch_connection"), (b"\0" * 200_000, "fetch_connection"),
    (b"HTTP/1.1 2000 OK\r\n\r\n", "fetch_connection"), (b"HTTP/1.1 099 Low\r\n\r\n", "fetch_connection"),
    (b"HTTP/1.1 600 High\r\n\r\n", "fetch_connection"), (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "fetch_connection"),
    (b"HTTP/1.1 -20 OK\r\n\r\n", "fetch_connection"), (b"HTTP/1.1 \xb2\xb2\xb2 OK\r\n\r\n", "fetch_connection"),
    (response(fields=["Content-Length: 7"]), "fetch_connection"), (response(fields=["Transfer-Encoding: chunked"]), "fetch_connection"),
    (response().replace(b"Content-Length: ", b"Content-Length: +"), "fetch_connection"),
    (response().replace(b"Content-Length: ", b"Content-Length: -"), "fetch_connection"),
    (response().replace(b"Content-Length: ", b"Content-Length: 9999999999999999999"), "fetch_connection"),
    (CHUNKS.replace(b"Chunked", b"gzip, chunked") + b"0\r\n\r\n", "fetch_connection"),
    (CHUNKS + b"-1\r\na\r\n0\r\n\r\n", "fetch_connection"), (CHUNKS + b"0x1\r\na\r\n0\r\n\r\n", "fetch_connection"),
    (CHUNKS + b"1\r\nabc\r\n0\r\n\r\n", "fetch_connection"), (CHUNKS + b"1" * 20 + b"\r\n", "fetch_connection"),
    (response(fields=["X A: b"]), "fetch_connection"), (response(fields=["X-A : b"]), "fetch_connection"),
    (response(fields=[" folded"]), "fetch_connection"), (response(fields=["no colon"]), "fetch_connection"),
    (response(fields=["X-A: a\0b"]), "fetch_connection"), (response(fields=["X-A: a\rb"]), "fetch_connection"),
    (response().replace(b"\r\n", b"\n", 5), "fetch_connection"), (response().replace(b"\r\n", b"\n", 1), "fetch_connection"),
    (response(fields=["Content-Encoding: gzip"]), "fetch_connection"), (response(fields=["Content-Encoding:"]), "fetch_connection"),
    (CHUNKS.replace(b"/1.1", b"/1.0") + b"0\r\n\r\n", "fetch_connection"), (CHUNKS + b"1 \r\na\r\n0\r\n\r\n", "fetch_connection"),
    (CHUNKS + b" 1\r\na\r\n0\r\n\r\n", "fetch_connection"), (CHUNKS + b"1 ;a\r\na\r\n0\r\n\r\n", "fetch_connection"),
    (CHUNKS + b"1;a\rb\r\na\r\n0\r\n\r\n", "fetch_connection"), (CHUNKS + b"1\na\r\n0\r\n\r\n", "fetch_connection"),
    (chunked(KEYS.encode(), end=b"0\r\nno colon\r\n\r\n"), "fetch_connection"),
    (chunked(KEYS.encode(), end=b"0\r\nX A: b\r\n\r\n"), "fetch_connection"),
    (chunked(KEYS.encode(), end=b"0\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n"), "fetch_connection"),
    (b"HTTP/1.1 200 O\rK\r\n\r\n", "fetch_connection"), (b"HTTP/1.1 200 O\0K\r\n\r\n", "fetch_connection"),
    # Empty fields take memory, too.
    (b"HTTP/1.1 200 OK\r\n" + b"a:\r\n" * 2_000 + b"\r\n" + KEYS.encode(), "fetch_too_large"),
    # Without end, or too large.
    (b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n", "fetch_connection"),
    (b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 100_000 + b"\r\n\r\n", "fetch_connection"),
    (b"HTTP/1.1 100 Continue\r\n\r\n" * 100_000, "fetch_connection"),
    (response(b" " * 262_145), "fetch_too_large"), (b"HTTP/1.0 200 OK\r\n\r\n" + b" " * 262_145, "fetch_too_large"),
    (chunked(b" " * 200_000, b" " * 62_145), "fetch_too_large"), (chunked(*[b" "] * 100_000), "fetch_connection"),
    (CHUNKS + b"1;" + b"a" * 70_000 + b"\r\n", "fetch_connection")]


@pytest.mark.parametrize("sent,expected", REFUSED, ids=range(len(REFUSED)))
def test_responses_that_are_refused(serve, sent, expected):
    server = serve(sent)
    verifier = fetching(server.port)
    assert refusal(verifier).code == expected
    # Not followed, and not tried again. The first back-off ends with a second of the clock, which may be the next moment.
    assert len(server.requests) == 1
    assert refusal(verifier).code == expected and refusal(verifier).code == expected and len(server.requests) <= 2


def test_a_largest_response(serve):
    keys = json.loads(KEYS)
    text = json.dumps(keys)
    assert verified(fetching(serve(response(text + " " * (262_144 - len(text)))).port))


def test_a_hundred_megabytes_are_not_read(serve):
    sent = []

    def play(connection, _):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(100):
            connection.sendall(b" " * (1 << 20))
            sent.append(1)

    server = serve(play)
    assert refusal(fetching(server.port)).code == "fetch_too_large"
    assert len(sent) < 100


@pytest.mark.parametrize("play", [
    silent, trickle(b""), trickle(b"HTTP/1.1 200 OK\r\nX-A: "), trickle(b"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n"),
    trickle(b"HTTP/1.1 200 OK\r\n\r\n"), trickle(CHUNKS + b"fff\r\n"), trickle(CHUNKS + b"1;")], ids=range(7))
@pytest.mark.parametrize("is_secure", [False, True])
def test_a_slow_server_is_ended_at_the_total_time(serve, certificate, play, is_secure):
    server = serve(play, certificate if is_secure else None)
    verifier = secure(server, certificate, fetch_timeout=1) if is_secure else fetching(server.port, fetch_timeout=1)
    error = refusal(verifier)
    assert error.code == "fetch_timeout" and "within 1 s" in str(error)


def test_a_server_that_does_not_answer_tls(serve, certificate):
    server = serve(silent, read=False)
    assert refusal(secure(server, certificate, fetch_timeout=1)).code == "fetch_timeout"
    # The time of the call is a limit, too. If it is less than that of a fetch, it says nothing about the server.
    verifier = secure(server, certificate, timeout=0.2)
    assert refusal(verifier).code == refusal(verifier).code == "timed_out"


#: A record of the handshake with many messages HelloRequest, which have no content, and one with a single one.
FLOODS = [b"\x16\x03\x03\x40\x00" + b"\0" * 16_384, b"\x16\x03\x03\x00\x04\0\0\0\0" * 2_000]


@pytest.mark.parametrize("flood", FLOODS, ids=["packed", "single"])
def test_a_flood_before_the_certificate(serve, certificate, flood):
    """TLS has a bound of bytes, and OpenSSL gets them in pieces."""
    sent = []

    def play(connection, _):
        for _ in range(1 << 20):
            connection.sendall(flood)
            sent.append(len(flood))

    error = refusal(secure(serve(play, read=False), certificate))
    assert error.code == "fetch_connection" and "too many bytes" in str(error)
    # With what the system keeps on the way.
    assert sum(sent) < 64 << 20


@pytest.mark.parametrize("flood", FLOODS, ids=["packed", "single"])
def test_a_flood_ends_with_the_time(serve, certificate, monkeypatch, flood):
    """It is looked at between two pieces, of which each is small."""
    sizes, read = [], _connection.Connection._read

    def recorded(connection):
        piece = read(connection)
        sizes.append(len(piece))
        return piece

    monkeypatch.setattr(_connection.Connection, "_read", recorded)
    # Each piece takes 10 seconds of 60.
    clock = _connection.time.monotonic
    monkeypatch.setattr(_connection, "time", types.SimpleNamespace(monotonic=lambda: clock() + 10 * len(sizes)))
    error = refusal(secure(serve(lambda connection, _: connection.sendall(flood * 1000), read=False), certificate))
    assert error.code == "fetch_connection" and "the time is over" in str(error)
    assert len(sizes) <= 7 and max(sizes) <= 1 << 14


def test_a_name_in_the_common_name_is_none(serve, tmp_path):
    """OpenSSL compares it where a certificate has no names of servers."""
    certificate = made_certificate(tmp_path, None, common="localhost")
    server = serve(response(), certificate)
    error = refusal(secure(server, certificate))
    assert error.code == "fetch_connection" and "not trusted for this name" in str(error) and server.requests == []


def test_a_cut_end_of_tls(serve, certificate):
    """Without a length, only TLS's own end is the end."""
    def cut(connection, _):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + KEYS.encode())
        # Closed without it.
        connection.shutdown(2)
        raise OSError

    assert refusal(secure(serve(cut, certificate), certificate)).code == "fetch_connection"


def test_missing_servers():
    with closed_port() as port:
        error = refusal(fetching(port))
        assert error.code == "fetch_connection" and f"no connection to 127.0.0.1:{port}" in str(error)
    verifier = Verifier(issuer="https://a.example", audience="b", jwks_uri="https://no-such-host.invalid/")
    assert code(verifier.refresh) in ("fetch_connection", "fetch_timeout")


def test_plain_http_is_for_this_machine():
    for address in ("http://10.0.0.1/", "http://issuer.example/", "http://127.0.0.1/"):
        with pytest.raises(TokenSecurityError, match="is not https"):
            Verifier(issuer="https://a.example", audience="b", jwks_uri=address)


def test_the_environment_names_no_proxy(serve, certificate, monkeypatch):
    with closed_port() as port:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        assert verified(secure(serve(response(), certificate), certificate))


def tunnel(connection, _):
    """A proxy whose tunnels all end in this one."""
    connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    connection.recv(65_536)


def test_a_proxy_that_is_asked_for(serve, certificate):
    proxy = serve(tunnel)
    verifier = Verifier(
        issuer="https://a.example", audience="b", jwks_uri="https://issuer.example:8443/keys", timeout=60,
        proxy=f"http://jane:p%40ss@127.0.0.1:{proxy.port}")
    with pytest.raises(TokenSecurityError) as refused:
        verifier.refresh()
    error = refused.value
    assert error.code == "fetch_connection" and "p@ss" not in str(error)
    assert proxy.requests == [
        "CONNECT issuer.example:8443 HTTP/1.1\r\nHost: issuer.example:8443\r\nProxy-Authorization: Basic amFuZTpwQHNz\r\n\r\n"]
    # This machine is reached without it.
    assert verified(secure(serve(response(), certificate), certificate, proxy=f"http://127.0.0.1:{proxy.port}"))
    assert len(proxy.requests) == 1
    for sent in (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\nmore", b""):
        other = Verifier(
            issuer="https://a.example", audience="b", jwks_uri="https://issuer.example/", timeout=60, proxy=f"http://127.0.0.1:{serve(sent).port}")
        assert code(other.refresh) == "fetch_connection"


@pytest.mark.parametrize("proxy", [
    "https://proxy.example:3128", "socks5://proxy.example:1080", "proxy.example:3128", "http://user:secret@", "http://proxy.example:x",
    "http://proxy.example:+80", "http://proxy.example:8_0", "http://proxy.example: 80", "http://proxy.example:\u0661", "http://proxy.example:",
    "http://proxy,example:80", "http://proxy%20example", "http://[proxy.example]:80", "http://[::1", "http://::1", "http://[::1]80",
    "http://proxy.example/path", "http://proxy example", "http://proxy.example:0", "http://proxy.example:65536", ""])
def test_a_malformed_proxy_is_refused(proxy):
    with pytest.raises(ValueError, match="the proxy must be") as refused:
        Verifier.cognito(POOL, CLIENT, proxy=proxy)
    assert "secret" not in str(refused.value)


def test_one_thread_fetches_and_others_go_on(serve):
    """With keys, nobody waits for a server that does not answer a search; without, all wait for one fetch."""
    answered = threading.Event()

    def play(connection, _):
        if len(server.requests) > 1:
            answered.wait()
        return response()

    server = serve(play)
    verifier = fetching(server.port, fetch_timeout=60)
    assert verified(verifier)
    _, claims, signature = TOKEN.split(".")
    header = base64.urlsafe_b64encode(json.dumps({"alg": "RS256", "kid": "another"}).encode()).decode().rstrip("=")
    other = f"{header}.{claims}.{signature}"
    codes = []
    waiting = [threading.Thread(target=lambda: codes.append(code(lambda: verifier.verify(other, at=THEN)))) for _ in range(4)]
    for thread in waiting:
        thread.start()
    eventually(lambda: len(server.requests) == 2)
    assert verified(verifier) and verifier.verify_batch([TOKEN], at=THEN)[0].subject and codes == []
    answered.set()
    for thread in waiting:
        thread.join()
    assert codes == ["key_not_found"] * 4 and len(server.requests) == 2


def test_an_issuer_that_does_not_answer_delays_no_other(serve):
    slow, fast = serve(silent), serve(response())
    verifier = Verifier.from_policy({
        "version": 1, "fetching": {"allows_plain_loopback": True, "timeout": 60}, "issuers": [
            {"profile": "cognito-user-pool", "pool": POOL, "use": "access", "client_ids": CLIENT,
             "keys": {"jwks_uri": f"http://127.0.0.1:{fast.port}/"}},
            {"profile": "google", "client_ids": "a", "keys": {"jwks_uri": f"http://127.0.0.1:{slow.port}/"}}]}, timeout=20)
    threads = [threading.Thread(target=lambda: code(verifier.refresh)) for _ in range(4)]
    for thread in threads:
        thread.start()
    eventually(lambda: slow.requests)
    assert verified(verifier) and all(result.subject for result in verifier.verify_batch([TOKEN] * 100, at=THEN))
    # So that they end.
    slow.close()
    for thread in threads:
        thread.join()


def test_a_refresh_says_when_the_next_one_is_due(serve):
    server = serve(response(fields=["Cache-Control: max-age=1000"]))
    verifier = fetching(server.port)
    assert 740 <= verifier.refresh() <= 750 and 740 <= verifier.refresh() <= 750 and len(server.requests) == 1
    assert Verifier.cognito(POOL, CLIENT, jwks=KEYS).refresh() == float("inf")
    assert code(lambda: fetching(server.port).refresh(timeout=0)) == "timed_out"


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), -float("inf"), 1e30])
def test_a_refresh_has_a_finite_time(timeout):
    with pytest.raises(ValueError, match="finite"):
        Verifier.cognito(POOL, CLIENT).refresh(timeout=timeout)


def test_a_pool_with_certificates_of_its_own(serve, certificate):
    verifier = Verifier.cognito(POOL, CLIENT, trust_roots=str(certificate), allow_plain_loopback=True)
    assert json.loads(verifier._fetching)["fetching"] == {"trust_roots": str(certificate), "allows_plain_loopback": True}


@pytest.mark.parametrize("timeout,expected", [(0.5, 1), (2.7, 2), (4.9, 4), (5, None), (60, None)])
def test_a_fetch_has_no_more_time_than_a_call(timeout, expected):
    """Else none would have its whole time, and a server that never answers had no back-off."""
    policy = json.loads(Verifier.cognito(POOL, CLIENT, timeout=timeout)._fetching)
    assert policy.get("fetching", {}).get("timeout") == expected
