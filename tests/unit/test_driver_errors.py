"""Every error of Neo4j's driver becomes one of ours on purpose, and servers that do not fit are refused."""

from collections.abc import Iterator

import pytest
from neo4j import exceptions as neo4j_errors

from graphmem.errors import ConfigurationError, Conflict, GraphmemError, OurError, StoreUnavailable, TransactionEnded
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import MINIMUM_NEO4J, check_server, code_of, open_driver, refuse_old, translate_errors
from tests.fakes import failure_of_neo4j

SETTINGS = Neo4jSettings.model_validate({"connection_timeout": 1.0})

BY_CLASS: dict[str, type[GraphmemError]] = {
    "AuthConfigurationError": ConfigurationError,
    "AuthError": ConfigurationError,
    "BrokenRecordError": OurError,
    "CertificateConfigurationError": ConfigurationError,
    "ClientError": OurError,
    "ConfigurationError": ConfigurationError,
    "ConnectionAcquisitionTimeoutError": StoreUnavailable,
    "ConnectionPoolError": StoreUnavailable,
    "ConstraintError": Conflict,
    "CypherSyntaxError": OurError,
    "CypherTypeError": OurError,
    "DatabaseError": TransactionEnded,
    "DatabaseUnavailable": StoreUnavailable,
    "DriverError": OurError,
    "Forbidden": OurError,
    "ForbiddenOnReadOnlyDatabase": StoreUnavailable,
    "IncompleteCommit": StoreUnavailable,
    "Neo4jError": OurError,
    "NotALeader": StoreUnavailable,
    "ReadServiceUnavailable": StoreUnavailable,
    "ResultConsumedError": OurError,
    "ResultError": OurError,
    "ResultFailedError": OurError,
    "ResultNotSingleError": OurError,
    "RoutingServiceUnavailable": StoreUnavailable,
    "ServiceUnavailable": StoreUnavailable,
    "SessionError": OurError,
    "SessionExpired": StoreUnavailable,
    "TokenExpired": ConfigurationError,
    "TransactionError": OurError,
    "TransactionNestingError": OurError,
    "TransientError": StoreUnavailable,
    "UnsupportedServerProduct": ConfigurationError,
    "WriteServiceUnavailable": StoreUnavailable,
}

BY_CODE: dict[str, type[GraphmemError]] = {
    "Neo.ClientError.Database.DatabaseNotFound": ConfigurationError,
    "Neo.ClientError.Schema.ConstraintValidationFailed": Conflict,
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists": OurError,
    "Neo.ClientError.Security.AuthenticationRateLimit": ConfigurationError,
    "Neo.ClientError.Security.Forbidden": ConfigurationError,
    "Neo.ClientError.Security.Unauthorized": ConfigurationError,
    "Neo.ClientError.Statement.SyntaxError": OurError,
    "Neo.ClientError.Transaction.ForbiddenDueToTransactionType": OurError,
    "Neo.ClientError.Transaction.LockClientStopped": TransactionEnded,
    "Neo.ClientError.Transaction.TransactionTimedOut": TransactionEnded,
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration": TransactionEnded,
    "Neo.DatabaseError.Database.UnableToStartDatabase": StoreUnavailable,
    "Neo.DatabaseError.General.StorageDamageDetected": StoreUnavailable,
    "Neo.DatabaseError.General.UnknownError": TransactionEnded,
    "Neo.DatabaseError.Schema.ConstraintCreationFailed": OurError,
    "Neo.DatabaseError.Statement.ExecutionFailed": TransactionEnded,
    "Neo.DatabaseError.Transaction.TransactionCommitFailed": StoreUnavailable,
    "Neo.DatabaseError.Transaction.TransactionLogError": StoreUnavailable,
    "Neo.DatabaseError.Transaction.TransactionStartFailed": StoreUnavailable,
    "Neo.TransientError.General.DatabaseUnavailable": StoreUnavailable,
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError": TransactionEnded,
    "Neo.TransientError.Transaction.DeadlockDetected": StoreUnavailable,
    "Neo.TransientError.Transaction.LockAcquisitionTimeout": TransactionEnded,
    "Neo.TransientError.Transaction.Terminated": TransactionEnded,
}


def classes(base: type[Exception]) -> Iterator[type[Exception]]:
    yield base
    for child in base.__subclasses__():
        yield from classes(child)


def ours(error: Exception) -> GraphmemError:
    with pytest.raises(GraphmemError) as caught, translate_errors():
        raise error
    return caught.value


def test_every_error_class_of_the_driver_is_decided_on() -> None:
    bases = (neo4j_errors.Neo4jError, neo4j_errors.DriverError)
    public = {item.__name__ for base in bases for item in classes(base) if item.__module__ == "neo4j.exceptions"}
    assert public == set(BY_CLASS)


def test_classes_become_ours() -> None:
    assert {name: type(ours(raised(getattr(neo4j_errors, name)))) for name in BY_CLASS} == BY_CLASS


def raised(error_class: type[Exception]) -> Exception:
    server = issubclass(error_class, neo4j_errors.Neo4jError)
    return error_class("refused") if server else error_class.__new__(error_class)


def test_codes_of_the_server_become_ours() -> None:
    errors = {code: ours(failure_of_neo4j(code)) for code in BY_CODE}
    assert {code: type(error) for code, error in errors.items()} == BY_CODE
    for code, error in errors.items():
        assert code_of(error).rpartition(".")[2] == code.rpartition(".")[2]
        assert "content of a tenant" not in str(error)


def test_the_driver_s_error_stays_the_cause() -> None:
    cause = neo4j_errors.ServiceUnavailable("refused")
    assert ours(cause).__cause__ is cause


@pytest.mark.parametrize("error", [Conflict("ours"), ValueError("another's"), TimeoutError()])
def test_other_errors_pass(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, translate_errors():
        raise error
    assert caught.value is error


def test_new_servers_are_taken() -> None:
    for version in ("2026.01", "2026.01.0", "2026.09.0", "2027.1.3", "2026.10.0-SNAPSHOT", "5.27-aura"):
        refuse_old(version)


@pytest.mark.parametrize("version", ["4.4.30", "5.26.4", "2025.12.1", "", "newest"])
def test_old_servers_are_refused_with_both_versions(version: str) -> None:
    with pytest.raises(ConfigurationError, match=f"is {version}, .* needs {MINIMUM_NEO4J} or newer"):
        refuse_old(version)


async def test_neo4j_s_schemes_are_taken() -> None:
    for scheme in ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"):
        await open_driver(f"{scheme}://db.example.org:7687", "neo4j", "secret", SETTINGS).close()


@pytest.mark.parametrize("uri", ["http://db.example.org:7474", "db.example.org", ""])
async def test_other_addresses_are_refused(uri: str) -> None:
    with pytest.raises(ConfigurationError, match="NEO4J_URI"):
        await open_driver(uri, "neo4j", "secret", SETTINGS).close()


async def test_nobody_there_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        await check_server("bolt://127.0.0.1:1", "neo4j", "secret", SETTINGS)


async def test_a_host_without_address_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        await check_server("neo4j://nowhere.invalid:7687", "neo4j", "secret", SETTINGS)
