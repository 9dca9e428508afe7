"""Which hosts are this machine alone."""

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether a name or an address, an IPv6 one with or without brackets, is that of the loopback interface."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
