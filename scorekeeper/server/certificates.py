"""Create a certificate authority for this installation, once, and certificates for the server.

Phones trust the authority, so it must stay the same; the server's certificate can be replaced at any time.

Serve HTTPS at home, with a certificate that follows this machine's addresses.

Prepare for `--tls`: open a second listener, create certificates, and collect the data for the trust page.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import ssl
import threading
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from scorekeeper.db.data_folder import held
from scorekeeper.ops.boot import make_folder
from scorekeeper.ops.inspection import BootError
from scorekeeper.ops.scheduler import repeat
from scorekeeper.server.listen import announced_name, bind, listens_everywhere, own_addresses, reachable_addresses
from scorekeeper.web.headers import HOME_NAMES
from scorekeeper.web.trust import Trust

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes


AUTHORITY_LASTS = timedelta(days=3650)
SERVER_LASTS = timedelta(days=397)
"""How long a server certificate is valid. iPhones accept no certificate that is valid for more than 825 days."""
EARLIER = timedelta(days=2)
"""How far in the past the validity of a certificate begins, for phones whose clock is behind."""
RENEWED_BEFORE = timedelta(days=30)

HOME_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8"),
    *("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),  # some virtual machines use these
    *("::1/128", "fc00::/7", "fe80::/10"),
)
"""Networks whose addresses don't exist on the internet; the authority may sign for addresses in them."""

DAMAGED = (
    "The certificate authority in {folder} is damaged. Put ca.key and ca.crt back, or move the folder away: then a new "
    "one is made, and every phone must trust it."
)
NOT_AT_HOME = (
    "--tls works only for addresses of a home network, and {name} isn't one. Use a domain name and Caddy instead: see "
    "scorekeeper/server/OPERATING.md."
)


def issue(folder: Path, names: Iterable[str], now: datetime | None = None) -> x509.Certificate:
    """Save a certificate for `names` in `folder/server.pem`, unless the file already has a valid one.

    `names` are host names and IP addresses. A saved certificate is kept if it is for exactly these names and is valid
    for at least another month. The certificate authority is created if it is missing or expires soon. Return the
    authority's certificate.

    Only the owner can read the keys. The authority's certificates are valid only for `HOME_NAMES` and `HOME_NETWORKS`,
    so a stolen key is of little use. Raises `BootError` if one of `names` is outside these names and networks, or if
    the authority is damaged. Raises `OSError` if a file can't be read or written.
    """
    wanted = sorted(set(names))
    for name in wanted:
        if not is_at_home(name):
            raise BootError(NOT_AT_HOME.format(name=name))
    now = now or datetime.now(UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with held(folder / "lock"):
        authority, key = _authority(folder, now)
        if not _is_good(folder / "server.pem", authority, wanted, now):
            own = generate_private_key(SECP256R1())
            certificate = _server_certificate(own, wanted, authority, key, now)
            _write(folder / "server.pem", _pem(own) + certificate.public_bytes(Encoding.PEM))
    return authority


def is_at_home(name: str) -> bool:
    """Return whether our certificate authority may sign a certificate for `name`, a host name or an IP address."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return any(name == home or name.endswith(f".{home}") for home in HOME_NAMES)
    return any(address in ipaddress.ip_network(network) for network in HOME_NETWORKS)


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 hash of `certificate` as phones show it: 32 pairs of hex digits, separated by colons."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _authority(folder: Path, now: datetime) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    key_file, certificate_file = folder / "ca.key", folder / "ca.crt"
    if certificate_file.exists():
        try:
            certificate = x509.load_pem_x509_certificate(certificate_file.read_bytes())
            key = load_pem_private_key(key_file.read_bytes(), None)
        except (ValueError, FileNotFoundError) as error:
            raise BootError(DAMAGED.format(folder=folder)) from error
        if not isinstance(key, EllipticCurvePrivateKey) or _raw(key.public_key()) != _raw(certificate.public_key()):
            raise BootError(DAMAGED.format(folder=folder))
        if now + RENEWED_BEFORE < certificate.not_valid_after_utc:
            return certificate, key
    key = generate_private_key(SECP256R1())
    certificate = _authority_certificate(key, now)
    # Write the certificate last: without it there is no authority yet, so a crash in between does no harm.
    certificate_file.unlink(missing_ok=True)
    _write(key_file, _pem(key))
    _write(certificate_file, certificate.public_bytes(Encoding.PEM))
    return certificate, key


def _is_good(file: Path, authority: x509.Certificate, wanted: list[str], now: datetime) -> bool:
    try:
        pem = file.read_bytes()
        certificate = x509.load_pem_x509_certificate(pem)
        load_pem_private_key(pem, None)
        certificate.verify_directly_issued_by(authority)
    except (FileNotFoundError, ValueError, TypeError, InvalidSignature):
        return False
    return names_of(certificate) == wanted and now + RENEWED_BEFORE < certificate.not_valid_after_utc


def names_of(certificate: x509.Certificate) -> list[str]:
    """Return the sorted host names and IP addresses for which `certificate` is valid."""
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return sorted([*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))])


def _authority_certificate(key: EllipticCurvePrivateKey, now: datetime) -> x509.Certificate:
    name = _name(f"Setback Scorekeeper {now:%Y-%m-%d}")
    permitted = [x509.DNSName(home) for home in HOME_NAMES]
    networks = [x509.IPAddress(ipaddress.ip_network(network)) for network in HOME_NETWORKS]
    return (
        _begun(name, name, key, now, now + AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints([*permitted, *networks], None), critical=True)
        .sign(key, hashes.SHA256())
    )


def _server_certificate(
    own: EllipticCurvePrivateKey,
    names: list[str],
    authority: x509.Certificate,
    key: EllipticCurvePrivateKey,
    now: datetime,
) -> x509.Certificate:
    last = min(now - EARLIER + SERVER_LASTS, authority.not_valid_after_utc)
    issuer_id = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return (
        _begun(_name("Setback Scorekeeper"), authority.subject, own, now, last)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer_id), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .sign(key, hashes.SHA256())
    )


def _begun(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, now: datetime, last: datetime
) -> x509.CertificateBuilder:
    public = key.public_key()
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(last)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _raw(key: CertificatePublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _write(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that only the owner can read it. If writing fails, the old file stays."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


BETWEEN_LOOKS = timedelta(minutes=1)
"""How often each process checks whether the certificate is still good, even if nobody connects."""
SECONDS_APART = 0.1
"""How often new connections check, at most, whether the certificate still matches this machine's addresses."""
OF_TLS_1_2 = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""TLS 1.2 ciphers, for clients without TLS 1.3: forward secrecy and authenticated encryption only."""


def make_certificates(instance: Path, host: str) -> x509.Certificate:
    """Create the certificate authority, and the certificate of a server at `host`, if they are missing.

    The files are in the folder `tls` of `instance`. Return the authority's certificate. Raises `BootError` if the
    folder can't be used.
    """
    folder = instance / "tls"
    try:
        return issue(folder, names_for(host))
    except OSError as error:
        raise BootError(f"The folder {folder} can't be used: {error.strerror}.") from error


def context_for(instance: Path, host: str, *_of_uvicorn: object) -> ssl.SSLContext:
    """Return the TLS context of a server at `host`, whose certificate is renewed until this process ends.

    A new connection renews the certificate if this machine's addresses have changed, so that the first phone on another
    network finds its address in it. A thread renews it before it expires. uvicorn passes further arguments, which are
    not used.
    """
    file = instance / "tls" / "server.pem"
    loaded = file.read_bytes()
    names: set[str] = set()
    looked = -SECONDS_APART
    context = _context_of(file)
    turn = threading.Lock()

    def keep_up() -> timedelta:
        nonlocal loaded, names
        with turn:
            names = names_for(host)
            loaded = renewed(context, file, host, loaded)
        return BETWEEN_LOOKS

    def follow(connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        # OpenSSL calls this for every new connection, also if the phone sends no name because it knows an address.
        nonlocal looked
        if time.monotonic() - looked < SECONDS_APART:
            return
        looked, before = time.monotonic(), loaded
        if names_for(host) != names:
            keep_up()
        if loaded != before:
            connection.context = _context_of(file)  # this connection still has the earlier certificate

    context.sni_callback = follow
    repeat(keep_up, "certificate", first=BETWEEN_LOOKS)
    return context


def _context_of(file: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(OF_TLS_1_2)
    context.load_cert_chain(file)
    return context


def renewed(context: ssl.SSLContext, file: Path, host: str, loaded: bytes) -> bytes:
    """Renew the certificate in `file` if it expires soon or no longer matches `host` and this machine's addresses.

    `loaded` is the file content that `context` uses at present. If the file has changed, it is loaded into `context`.
    Return the content that `context` uses afterward. Errors are only logged.
    """
    try:
        issue(file.parent, names_for(host))
        now = file.read_bytes()  # another process may have renewed it
        if now != loaded:
            context.load_cert_chain(file)
    except (OSError, BootError):
        # An old certificate is better than none.
        logging.getLogger(__name__).warning("The certificate could not be renewed", exc_info=True)
        return loaded
    return now


def names_for(host: str) -> set[str]:
    """Return the host names and IP addresses at which clients can currently reach a server that listens on `host`.

    If the server listens on all addresses, these are the ones of all networks at home, also those that aren't printed.
    An address of the internet is among them only if there is no other: then it can't be certified, and `issue` says so.
    """
    names = {"localhost", "127.0.0.1", "::1"}
    if name := announced_name():
        # Routers give a computer's name one of these ends, too.
        names |= {name.removesuffix("local") + home for home in HOME_NAMES if home != "localhost"}
    if not listens_everywhere(host):
        return names | {host}
    found = {address for _, address in own_addresses(6 if host == "::" else 4) if is_at_home(address)}
    return names | found | set(reachable_addresses(host)[:1])


class Secure(Struct, frozen=True):
    """What the server needs for HTTPS at home: the listener, the TLS context and the certificate."""

    listener: socket.socket
    context: Callable[..., ssl.SSLContext]
    """Function that makes the TLS context, called in each process."""
    trust: Trust


def prepare(host: str, port: int, instance: Path) -> Secure:
    """Listen on `host` and `port` for HTTPS, and create certificates in the folder `instance` if they are missing.

    Raises `BootError` if the port or the folder can't be used.
    """
    listener = bind(host, port, "--tls-port")
    make_folder(instance)
    authority = make_certificates(instance, host)
    trust = Trust(authority.public_bytes(Encoding.DER), fingerprint(authority), listener.getsockname()[1])
    return Secure(listener, partial(context_for, instance, host), trust)
