"""The table of log lines above `info` in the guide for operators, and the sources that write them."""
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
ABOVE = "notice|warning|error|critical"
# Who may cause such a line: never a client without a signature.
CAUSES = {"administrator", "issuer", "operator", "store", "system", "time"}


def lines(path):
    """The levels and texts of a file's log lines. Values within a text are `…`; a text that a function gets is that of its calls."""
    text = path.read_text()
    # A level can be named only in files that import the package.
    if not re.search(r"^(?:\w+ )?import Logging$", text, re.MULTILINE):
        return
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    for found in re.finditer(rf"(?<![\w)\]?])\.({ABOVE})\b(?!\s*\()|\blogger\.({ABOVE})\(", text):
        # The level of packages.
        if text[:found.start()].endswith("max("):
            continue
        literal = re.search(r'"((?:[^"\\]|\\.)*)"', text[found.end():])
        assert literal, (path, found[0])
        message = re.sub(r"\\\([^)]*\)", "…", literal[1])
        given = re.findall(r'\bperform\("([^"]+)"', text)
        for message in given if message == "…" and given else [message]:
            yield found[1] or found[2], message


def table():
    section = (ROOT / "docs/operating.md").read_text().split("### Lines above info\n")[1].split("\n## ")[0]
    return [re.fullmatch(r"\| `(\w+)` \| `(.+)` \| (.+) \|", line).groups() for line in section.splitlines() if line.startswith("| `")]


def test_the_table_has_each_line():
    written = [line for path in sorted((ROOT / "Sources").rglob("*.swift")) for line in lines(path)]
    listed = [(level, message) for level, message, _ in table()]
    assert len(written) > 25
    assert sorted(written) == sorted(listed)


def test_no_line_is_a_strangers():
    for _, message, cause in table():
        assert re.match(r"\w+", cause)[0] in CAUSES, message


def test_lines_that_are_found(tmp_path):
    """What the search sees, so that it does not become blind."""
    path = tmp_path / "Lines.swift"
    path.write_text('''internal import Logging
      logger.error("one")
      logger.log(
        .warning, "two \\(count) of \\(all(of: x))", with: [])
      let level: Logger.Level = isBad ? .critical : .info
      logger.log(level, "three")
      // logger.error("a comment")
      case .notice(let notice): break
      throw server.error
      quiet.logLevel = max(.warning, logger.logLevel)
    ''')
    assert list(lines(path)) == [("error", "one"), ("warning", "two … of …)"), ("critical", "three")]
    path.write_text('let level = Level.error; "text"')
    assert list(lines(path)) == []


def test_steps_that_are_repeated_are_limited():
    """A loop that goes on after a failure writes no line for each round."""
    loops = [path for path in (ROOT / "Sources/Programs/identity-service").rglob("*.swift")
             if "while !Task.isCancelled" in path.read_text() and re.search(r"\.(?:warning|error)\b", path.read_text())]
    assert len(loops) > 3
    for path in loops:
        assert "ReportLimit" in path.read_text() or path.name in UNLIMITED, path


def test_a_store_that_fails_is_reported_once_a_minute():
    """All steps that the service repeats fail while its clock differs from the database's: none has a line for each round."""
    limits = {path.name: re.findall(r"ReportLimit\((.*)\)$", path.read_text(), re.M)
              for folder in ("Server", "Messages") for path in (ROOT / "Sources/Programs/identity-service" / folder).glob("*.swift")}
    for name in ("KeyMaintenance", "MessageService", "PushService", "ServiceReadiness", "Upkeep", "UserPoolKeyMaintenance"):
        assert limits[name + ".swift"] == ["interval: .seconds(60)"], name


# Loops whose lines tell of a change, not of each round.
UNLIMITED = {"ServerCertificates.swift", "ServiceReadiness.swift"}
