"""List the environment variables that `config` reads, for a table in the documentation."""

from msgspec import Struct

from scorekeeper.config import SECRET_KEY_LENGTH, WIFI_PASSWORD_LENGTHS


class Setting(Struct, frozen=True):
    """One environment variable: its name, its default and its meaning, as Markdown."""

    name: str
    default: str
    meaning: str


SETTINGS = (
    Setting(
        "SCOREKEEPER_INSTANCE",
        "the checkout's `instance/`, or your data folder",
        "Folder of the database and the secret key. `--instance` overrides it.",
    ),
    Setting(
        "DATABASE_URL",
        "`scorekeeper.db` in that folder",
        "PostgreSQL or SQLite database, like `postgresql://user:password@host/name`.",
    ),
    Setting(
        "SECRET_KEY",
        "created once in that folder",
        f"Key for forms, codes and links: at least {SECRET_KEY_LENGTH} characters.",
    ),
    Setting(
        "SCOREKEEPER_PROXIES",
        "`0`",
        "Number of proxies (such as Caddy) in front of the server that report the client and https.",
    ),
    Setting(
        "SCOREKEEPER_LIMITS",
        "`on`",
        "`off` removes all rate limits. Only for load tests, because codes can then be guessed.",
    ),
    Setting(
        "SCOREKEEPER_HOSTS",
        "none",
        "Host names of the server on the internet, separated by commas.",
    ),
    Setting(
        "SCOREKEEPER_LOG",
        "`lines`",
        "`json` logs one JSON object per line.",
    ),
    Setting(
        "SCOREKEEPER_METRICS",
        "off",
        "Port on this machine, like `9464`, or `ADDRESS:PORT`, for Prometheus metrics.",
    ),
    Setting(
        "SCOREKEEPER_SIGN_UP",
        "`closed`",
        "`open` lets anyone create a director's account. Otherwise accounts are created only by "
        "`scorekeeper director add` or with an invitation.",
    ),
    Setting(
        "SCOREKEEPER_CONTACT",
        "none",
        "Email address or `https://` page to contact you, shown on `/privacy` and in `/.well-known/security.txt`.",
    ),
    Setting(
        "SCOREKEEPER_WIFI",
        "none",
        "Name of the hall's Wi-Fi, printed on the table cards.",
    ),
    Setting(
        "SCOREKEEPER_WIFI_PASSWORD",
        "none",
        f"Its password (WPA, {WIFI_PASSWORD_LENGTHS[0]} to {WIFI_PASSWORD_LENGTHS[-1]} characters), printed on the "
        "table cards with a QR code to join the Wi-Fi. Everyone who can create a league on this server can see it.",
    ),
    Setting(
        "SCOREKEEPER_PUBLISH",
        "none",
        "What follows `scorekeeper publish` on a command line, a folder and options. The server then "
        "[publishes](#results-on-the-web-without-a-server) whenever a night closes.",
    ),
)
