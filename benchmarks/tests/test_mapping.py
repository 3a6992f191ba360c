"""Taking names apart: connector, version, case, parameter."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmarks import mapping
from benchmarks.actions.mapping import remember_roles, remembered_roles
from benchmarks.actions.upload import Said, upload_run
from benchmarks.documents import RefusedError
from benchmarks.models import NameMapping, Run
from benchmarks.sending import said_from
from benchmarks.tests.asking import NOW
from benchmarks.tests.test_pages import confirmed, sent
from benchmarks.tests.test_readers import read
from benchmarks.tests.uploads import hyperfine
from portal.accounts.models import User
from tests.cast import sign_in

TIMES = [1.0, 1.1, 0.9, 1.0, 1.05]
NAMES = ["pymysql do_1 tcp", "mysqlclient do_1 unix", "something else"]
ROLES = {3: ["connector", "case", "transport"]}


def file() -> dict[str, Any]:
    return hyperfine(TIMES, TIMES, TIMES, names=NAMES)


def test_names_of_one_shape_are_mapped_alike_and_the_rest_is_said() -> None:
    found = mapping.applied(read(file()), ROLES)
    first, second, third = found.results
    assert (first.subject.name, first.case, first.params) == (
        "pymysql",
        "do_1",
        {"transport": "tcp"},
    )
    assert second.params == {"transport": "unix"}
    assert (third.subject.name, third.case) == ("something else", "command")
    assert "1 names have parts that no mapping was said for" in found.remarks[-1]


def test_a_part_that_is_left_stays_as_a_parameter_and_parts_of_one_role_are_joined() -> None:
    one = read(hyperfine(TIMES, names=["Connector J 3.5 [fast, do_1]"]))
    roles = {5: ["connector", "connector", "version", "_", "case"]}
    (found,) = mapping.applied(one, roles).results
    assert (found.subject.name, found.subject.version, found.case) == ("Connector J", "3.5", "do_1")
    assert found.params == {"name_rest": "fast"}


def test_nothing_said_changes_nothing() -> None:
    document = read(file())
    assert mapping.applied(document, {}) is document
    assert mapping.applied(document, {3: ["_", "_", "_"]}) is document


def test_shapes_are_counted_and_names_of_one_part_have_none() -> None:
    found = mapping.shapes(read(file()))
    assert {count: shape.count for count, shape in found.items()} == {2: 1, 3: 2}
    assert mapping.shapes(read(hyperfine(TIMES, names=["one"]))) == {}


def test_what_cannot_be_placed_is_said() -> None:
    document = mapping.applied(read(file()), {3: ["connector", "case", "transport"]})
    words = mapping.unmapped(document, ["command"])
    assert words == ["Cases that the suite does not define: do_1"]
    strange = mapping.applied(read(file()), {3: ["transport", "case", "_"]})
    _cases, names, values = mapping.unmapped(strange, ["command"])
    assert names == "Parameters that are kept but mean nothing here: name_rest"
    assert values == "Values that are not known: transport=mysqlclient, transport=pymysql"
    assert mapping.unmapped(read(hyperfine(TIMES)), []) == []


def test_a_mapping_is_told_in_words_to_the_api() -> None:
    assert said_from({"map": "connector case _"}).roles == {3: ["connector", "case", "_"]}
    assert said_from({}).roles == {}
    assert said_from({"contact": " a@b.example "}).contact == "a@b.example"
    with pytest.raises(RefusedError, match="not a mail address"):
        said_from({"contact": "eve"})
    with pytest.raises(RefusedError, match="not a role"):
        said_from({"map": "driver"})


@pytest.mark.parametrize(
    ("names", "case"),
    [
        ("jmh.json", "do_1"),
        ("google-benchmark.json", "do_1"),
        ("pyperf.json", "do_1"),
        ("bmf.json", "do_1"),
        ("go-bench.txt", "do_1"),
    ],
)
def test_a_case_is_recognised_in_the_name_that_a_tool_gave_it(
    shared_data: Path, names: str, case: str
) -> None:
    document = read((shared_data / "benchmarks/formats" / names).read_bytes())
    found = mapping.placed(document, ["do_1", "select_1"], {})
    assert found.results[0].case == case
    assert found.remarks[-1].startswith("Cases of the suite were recognised in names: “")


def test_a_name_with_two_cases_or_none_stays_as_it_is() -> None:
    for name in ("do_1 then select_1", "nothing known", "redo 1x"):
        document = read(hyperfine(TIMES, names=[name]))
        assert mapping.placed(document, ["do_1", "select_1"], {}) is document
    document = read(hyperfine(TIMES))
    assert mapping.placed(document, ["command"], {}) is document


def test_a_case_that_somebody_said_is_not_looked_for_elsewhere() -> None:
    roles = {3: ["case", "connector", "_"]}
    document = mapping.applied(read(hyperfine(TIMES, names=["Mine do_1 x"])), roles)
    assert mapping.placed(document, ["do_1"], roles) is document
    said = mapping.applied(read(hyperfine(TIMES, names=["Do1 mine x"])), roles)
    assert mapping.placed(said, ["do_1"], roles).results[0].case == "do_1"


def test_a_value_may_be_said_in_another_word() -> None:
    one = read(hyperfine(TIMES, names=["pymysql socket prepared"]))
    (found,) = mapping.applied(one, {3: ["connector", "transport", "prepare"]}).results
    assert found.params == {"transport": "unix", "prepare": "server"}


@pytest.mark.django_db
def test_a_mapping_is_remembered_for_the_next_file(charlie: User, client: Client) -> None:
    raw = json.dumps(file()).encode()
    run = upload_run(actor=charlie, raw=raw, said=Said(roles=ROLES), at=NOW).run
    assert [one.subject for one in run.results.all()][:2] == ["pymysql", "mysqlclient"]
    remember_roles(actor=charlie, kind="hyperfine", roles={2: ["connector", "case"]})
    found = remembered_roles(user=charlie, kind="hyperfine")
    assert found == {2: ["connector", "case"], **ROLES}
    assert NameMapping.objects.count() == 1
    text = sign_in(charlie, client).post("/benchmarks/upload/", sent(file())).content.decode()
    assert 'value="pymysql"' in text
    assert 'value="something"' in text
    NameMapping.objects.update(roles={"2": ["driver", "x"], "3": ["case"]})
    assert remembered_roles(user=charlie, kind="hyperfine") == {}
    assert remembered_roles(user=charlie, kind="jmh") == {}


@pytest.mark.django_db
def test_the_form_reads_again_with_what_the_parts_are(client: Client) -> None:
    said = confirmed(file(), again="yes", title="Mine", role_3_0="connector", role_3_1="nonsense")
    text = client.post("/benchmarks/upload/", said).content.decode()
    assert 'value="pymysql"' in text
    assert 'value="Mine"' in text
    assert "name rest do_1 tcp" in text
    assert not Run.objects.exists()
