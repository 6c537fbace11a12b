"""A PostgreSQL server of the tests' own, in a temporary folder and on a Unix socket."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from waiting import LIMIT, eventually

SERVER_USER = "postgres"


def program(name):
    versions = sorted(pathlib.Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return str(versions[-1]) if versions else name


def as_server(command):
    """PostgreSQL refuses root; as root it runs as Debian's user."""
    if os.getuid() != 0:
        return command
    return ["setpriv", f"--reuid={SERVER_USER}", f"--regid={SERVER_USER}", "--init-groups", *command]


class PostgreSQL:
    def __init__(self, *options):
        # The name of a socket has at most 107 bytes, and pytest's folders belong to root.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nodes-"))
        self.options, self.process = options, None
        if os.getuid() == 0:
            shutil.chown(self.folder, SERVER_USER, SERVER_USER)
        # Clients only need to reach the socket.
        self.folder.chmod(0o711)
        subprocess.run(as_server([program("initdb"), "-D", f"{self.folder}/data", "-U", "service", "--auth=trust", "-E", "UTF8", "--locale=C"]),
                       check=True, capture_output=True, cwd="/")
        self.start()

    @property
    def url(self):
        return f"postgresql:///postgres?host={self.folder}&user=service"

    def start(self):
        # After a kill it reads what it had written, which takes long on a slow disk.
        eventually(self.answers)

    def answers(self):
        # Processes of the killed server may keep the new one from starting for a moment.
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                as_server([program("postgres"), "-D", f"{self.folder}/data", "-k", str(self.folder), "-c", "listen_addresses=", *self.options]),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        try:
            return self.sql("SELECT 1") == "1"
        except subprocess.CalledProcessError:
            return False

    def sql(self, text):
        return subprocess.run(["psql", "-h", self.folder, "-U", "service", "-d", "postgres", "-qAtc", text],
                              check=True, capture_output=True, text=True, timeout=LIMIT).stdout.strip()

    def stop(self, how=signal.SIGINT):
        """SIGINT ends all connections; SIGQUIT ends the server as a crash does."""
        # As root the process is setpriv's, which has become the server's.
        os.kill(self.process.pid, how)
        self.process.wait(LIMIT)
        self.process = None

    def remove(self):
        if self.process is not None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
