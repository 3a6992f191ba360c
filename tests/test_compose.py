"""docker-compose.yml and deploy/systemd against the compose schema and the process table."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from portal.processes import PROCESSES

ROOT = Path(__file__).resolve().parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
UNITS = ROOT / "deploy" / "systemd"
# The reverse proxy holds the public port in the door's place.
DEPLOYED = sorted(PROCESSES.keys() - {"door"})


def test_it_is_a_compose_file() -> None:
    schema = json.loads((ROOT / "tests" / "schemas" / "compose-spec.json").read_text())

    jsonschema.Draft7Validator(schema).validate(COMPOSE)


@pytest.mark.parametrize("name", DEPLOYED)
def test_every_process_of_the_table_is_a_service(name: str) -> None:
    assert SERVICES[name]["command"] == [name]


def test_every_service_that_runs_our_image_is_a_process_of_the_table() -> None:
    ours = {name for name, service in SERVICES.items() if "build" in service}

    assert ours - {"prepare"} == set(DEPLOYED)


def test_the_twin_runs_in_a_demonstration_only() -> None:
    assert SERVICES["twin"]["profiles"] == ["demonstration"]


def test_the_signer_reaches_no_network_and_no_other_secret() -> None:
    assert SERVICES["signer"]["network_mode"] == "none"
    assert "secrets" not in SERVICES["signer"]
    assert "env_file" not in SERVICES["signer"]


def test_the_socket_of_the_signer_is_where_it_is_asked_and_nowhere_else() -> None:
    with_socket = {
        name
        for name, service in SERVICES.items()
        if "signer-socket:/run/signer" in service.get("volumes", [])
    }

    assert with_socket == {"worker", "signer"}


def test_only_the_unit_of_the_worker_is_in_the_group_of_the_socket() -> None:
    units = (ROOT / "deploy" / "systemd").glob("portal-*.service")
    within = {unit.stem for unit in units if "portal-signing" in unit.read_text()}
    assert within == {"portal-signer", "portal-worker"}
    signer = (ROOT / "deploy" / "systemd" / "portal-signer.service").read_text()
    assert "RuntimeDirectoryMode=0750" in signer


@pytest.mark.parametrize("name", ["registrar", "box"])
def test_an_office_of_elections_reaches_its_own_database_and_nothing_else(name: str) -> None:
    service = SERVICES[name]
    assert service["networks"] == [f"{name}-database"]
    assert COMPOSE["networks"][f"{name}-database"] == {"internal": True}
    assert service["secrets"] == [f"{name}_database_url"]
    assert "env_file" not in service
    beside = {
        one for one, other in SERVICES.items() if f"{name}-database" in other.get("networks", [])
    }
    assert beside == {"postgres", name}
    unit = (UNITS / f"portal-{name}.service").read_text()
    assert "PrivateNetwork=yes\nRestrictAddressFamilies=AF_UNIX\n" in unit


@pytest.mark.parametrize("name", ["registrar", "box"])
def test_only_web_and_worker_reach_the_socket_of_an_office_of_elections(name: str) -> None:
    with_socket = {
        one
        for one, service in SERVICES.items()
        if f"{name}-socket:/run/{name}" in service.get("volumes", [])
    }
    assert with_socket == {"web", "worker", name}
    within = {
        path.stem
        for path in UNITS.glob("portal-*.service")
        if re.search(
            rf"^(Supplementary)?Groups?=.*\bportal-{name}\b", path.read_text(), re.MULTILINE
        )
    }
    assert within == {"portal-web", "portal-worker", f"portal-{name}"}
    assert "RuntimeDirectoryMode=0750" in (UNITS / f"portal-{name}.service").read_text()


def test_the_databases_of_the_offices_are_made_for_the_addresses_of_their_secrets() -> None:
    made = (ROOT / "deploy" / "postgres" / "offices.sh").read_text()
    addresses = (ROOT / "scripts" / "make_secrets.sh").read_text()
    assert "for office in registrar box" in made
    for name in ("registrar", "box"):
        assert f"postgresql://{name}:$(cat {name}_password)@postgres/portal_{name}" in addresses
    mounted = "./deploy/postgres/offices.sh:/docker-entrypoint-initdb.d/offices.sh:ro"
    assert mounted in SERVICES["postgres"]["volumes"]


def test_every_secret_that_a_service_uses_is_made_by_the_script() -> None:
    script = (ROOT / "scripts" / "make_secrets.sh").read_text()
    used = {name for service in SERVICES.values() for name in service.get("secrets", [])}

    assert used == COMPOSE["secrets"].keys()
    assert all(name in script for name in used)


def test_the_proxy_fills_in_every_name_of_its_template() -> None:
    template = (ROOT / "deploy" / "nginx" / "portal.conf.template").read_text()
    example = (ROOT / "deploy" / "production.env.example").read_text()
    given = set(SERVICES["proxy"]["environment"]) | {
        line.partition("=")[0] for line in example.splitlines() if not line.startswith("#")
    }

    wanted = {part.partition("}")[0] for part in template.split("${")[1:]} - {"..."}
    assert wanted <= given


@pytest.mark.parametrize("name", DEPLOYED)
def test_every_process_of_the_table_has_a_unit(name: str) -> None:
    unit = (UNITS / f"portal-{name}.service").read_text()

    assert f"ExecStart=/opt/portal/.venv/bin/python -m portal.processes {name}\n" in unit


def test_no_unit_is_left_of_a_process_that_is_gone() -> None:
    units = {path.stem.removeprefix("portal-") for path in UNITS.glob("*.service")}

    assert units == set(DEPLOYED)


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("needs systemd-analyze")
    for path in UNITS.iterdir():
        here = path.read_text().replace("/opt/portal/.venv/bin/python", sys.executable)
        (tmp_path / path.name).write_text(here)
    command = [program, "verify", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_who_stops_web_tells_its_first_process_alone_and_waits() -> None:
    """portal/web.py answers on for WEB_DRAIN seconds and then ends what was begun."""
    unit = (UNITS / "portal-web.service").read_text()
    assert "KillMode=mixed\nTimeoutStopSec=45\n" in unit
    assert "Environment=WEB_DRAIN=5\n" in unit
    assert SERVICES["web"]["stop_grace_period"] == "45s"
    assert SERVICES["web"]["environment"]["WEB_DRAIN"] == "5"
