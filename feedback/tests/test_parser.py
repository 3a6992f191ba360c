"""Every trap of the format, on the exact bytes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedback.facts import read
from feedback.packing import pack, unpack
from feedback.parser import (
    KEY_LIMIT,
    LINE_LIMIT,
    SENSITIVE,
    VALUE_LIMIT,
    Kind,
    clean,
    parse,
    payload,
    server_key,
)
from feedback.tests.clients import PEPPER, UID, lines, multipart, recorded


def body_of(shared_data: Path, name: str) -> bytes:
    return recorded(shared_data, name).partition(b"\r\n\r\n")[2]


def cleaned(text: bytes) -> dict[str, str]:
    return parse(clean(multipart(text), PEPPER).body)


@pytest.mark.parametrize(
    ("body", "content"),
    [
        (b"--b\r\nX: y\r\n\r\nKEY\tvalue\n\n--b--\r\n", b"KEY\tvalue\n"),
        (b"--b\r\nX: y\r\n\r\nKEY\tvalue\r\n--b--\r\n", b"KEY\tvalue\r"),
        (b"--b\r\nX: y\r\n\r\nKEY\t\r\n\r\n--x\n--b--", b"KEY\t\r\n\r\n--x"),
        (b"--b\r\nX: y\r\n\r\nKEY\tvalue", b"KEY\tvalue"),
        (b"--b\r\nX: y\r\n", b""),
        (b"KEY\tvalue\n", b"KEY\tvalue\n"),
        (b"", b""),
    ],
)
def test_the_content_lies_between_the_first_empty_line_and_the_last_delimiter(
    body: bytes, content: bytes
) -> None:
    assert payload(body) == content


def test_a_full_report_of_a_real_server_is_read_whole(shared_data: Path) -> None:
    report = clean(body_of(shared_data, "full.bin"), PEPPER)
    values = parse(report.body)
    assert report.kind is Kind.SERVER
    assert len(values) == 937
    assert values["VERSION"] == "10.11.19-MariaDB-0+deb12u1"
    assert values["UNAME_DISTRIBUTION"] == "os-release: Debian GNU/Linux 12 (bookworm)"
    assert values["COLLATION USED BINARY"] == "3"


@pytest.mark.parametrize(
    ("name", "moment"),
    [("startup.bin", "startup"), ("through_proxy.bin", "startup"), ("shutdown.bin", "shutdown")],
)
def test_the_short_reports_carry_a_nul_that_is_not_part_of_the_identity(
    shared_data: Path, name: str, moment: str
) -> None:
    body = body_of(shared_data, name)
    assert b"\0" in body
    report = clean(body, PEPPER)
    assert b"\0" not in report.body
    assert parse(report.body)["FEEDBACK_WHEN"] == moment
    assert len(report.server_key) == 16


def test_the_same_server_has_one_key_in_all_its_reports(shared_data: Path) -> None:
    with_nul, without = f"{UID}\0".encode(), UID.encode()
    assert server_key(with_nul, PEPPER) == server_key(without, PEPPER)
    assert server_key(without, b"other pepper") != server_key(without, PEPPER)
    keys = {
        clean(body_of(shared_data, name), PEPPER).server_key
        for name in ("startup.bin", "full.bin", "manual_report.txt")
        if name != "manual_report.txt"
    }
    assert len(keys) == 2  # recorded on two ports: the identity contains the port


def test_a_tab_quotes_and_html_in_user_info_cost_nothing(shared_data: Path) -> None:
    report = clean(body_of(shared_data, "full_tab_in_user_info.bin"), PEPPER)
    values = parse(report.body)
    assert values["FEEDBACK_USER_INFO"] == ""
    assert values["VERSION"].startswith("10.11.19")
    assert b"Acme" not in report.body


def test_the_file_of_the_command_line_client_is_read_without_its_header(
    shared_data: Path,
) -> None:
    manual = (shared_data / "feedback" / "manual_report.txt").read_bytes()
    values = cleaned(manual)
    assert "VARIABLE_NAME" not in values
    assert values["VERSION"] == "10.11.19-MariaDB-0+deb12u1"
    assert values == cleaned(manual.replace(b"\n", b"\r\n"))


def test_backslashes_are_read_in_files_and_left_alone_in_posts() -> None:
    text = b"KEY\ta\\tb\\\\c\\nd\\0e\\x\n"
    assert cleaned(text)["KEY"] == "a\\tb\\\\c\\nd\\0e\\x"
    assert cleaned(b"VARIABLE_NAME\tVARIABLE_VALUE\n" + text)["KEY"] == "a\tb\\c de\\x"


@pytest.mark.parametrize("uid", ["", "unknown", "UNKNOWN", "\0", "x" * 101])
def test_a_server_that_cannot_name_itself_has_no_key(uid: str) -> None:
    assert clean(multipart(lines({"VERSION": "11.4.2"}, uid)), PEPPER).server_key == b""


def test_test_runs_and_proxies_are_told_apart() -> None:
    test_run = lines({"FEEDBACK_USER_INFO": "mysql-test"})
    assert clean(multipart(test_run), PEPPER).kind is Kind.TEST
    proxy = lines({"PRODUCT": "maxscale"}, uid="0123456789abcdef0123456789abcdef01234567")
    assert clean(multipart(proxy), PEPPER).kind is Kind.MAXSCALE


def test_nothing_that_names_somebody_is_kept() -> None:
    text = b"".join(key.lower() + b"\tsecret " + key + b"\n" for key in SENSITIVE)
    report = clean(multipart(text), PEPPER)
    assert b"secret" not in report.body
    assert set(parse(report.body)) == {key.decode() for key in SENSITIVE}


@pytest.mark.parametrize(
    "text",
    [
        b"FEEDBACK_URL\tsecret",
        b"FEEDBACK_URL\tsecret\nEND\tx",
        b"BEGIN\tx\nfeedback_url\tsecret\r\nFEEDBACK_URL\tsecret again\r\n",
        b"FEEDBACK_URL\tsecret\nFEEDBACK_USER_INFO\tsecret\nFEEDBACK_SERVER_UID\tsecret",
        b"FEEDBACK_URL\tsecret\n" + b"K\tv\n" * LINE_LIMIT,
    ],
)
def test_a_line_is_blanked_wherever_it_stands_and_its_key_stays(text: bytes) -> None:
    report = clean(multipart(text), PEPPER)
    assert b"secret" not in report.body
    assert parse(report.body)["FEEDBACK_URL"] == ""


def test_a_key_that_only_begins_or_ends_like_a_telling_one_is_kept() -> None:
    text = b"FEEDBACK_URLS\tkept\nMY_FEEDBACK_URL\tkept\nA\tFEEDBACK_URL\tkept\n"
    assert clean(multipart(text), PEPPER).body == text


@pytest.mark.parametrize(
    ("comment", "kept"),
    [
        ("Debian 12", True),
        ("Ubuntu 22.04", True),
        ("mariadb.org binary distribution", True),
        ("Source distribution", True),
        ("built by jane@acme.example", False),
        ("Debian 12 for Acme <script>", False),
    ],
)
def test_the_comment_of_a_private_build_is_blanked(comment: str, kept: bool) -> None:
    assert cleaned(f"VERSION_COMMENT\t{comment}\n".encode())["VERSION_COMMENT"] == (
        comment if kept else ""
    )


def test_keys_are_matched_without_case_and_the_first_value_counts() -> None:
    text = b"Version\t10.11.1\nFEEDBACK_USER_INFO\tx\nVERSION\t99.9.9\nversion\t1\n"
    assert cleaned(text)["VERSION"] == "10.11.1"


def test_invalid_utf8_is_replaced_and_stops_nothing() -> None:
    assert cleaned(b"A\t\xff\xfe ok\nVERSION\t11.4.2\n") == {"A": "�� ok", "VERSION": "11.4.2"}


def test_lines_without_a_key_or_a_tab_are_left_out() -> None:
    assert cleaned(b"no tab\n\tno key\n\n\r\nKEY\t\nEND\tx") == {"KEY": "", "END": "x"}


def test_lines_keys_and_values_have_a_limit() -> None:
    many = b"".join(b"K%d\tv\n" % n for n in range(LINE_LIMIT + 10))
    assert len(cleaned(many)) == LINE_LIMIT
    assert cleaned(b"K" * (KEY_LIMIT + 1) + b"\tv\n") == {}
    assert len(cleaned(b"K\t" + b"v" * (VALUE_LIMIT + 10))["K"]) == VALUE_LIMIT


def test_a_packed_body_comes_back_and_anything_else_is_refused() -> None:
    assert unpack(pack(b"KEY\tvalue")) == b"KEY\tvalue"
    for wrong in (b"", b"not packed", pack(b"x" * 100)[:-5]):
        with pytest.raises(ValueError, match="not a packed report"):
            unpack(wrong)


@given(st.binary(max_size=2_000))
def test_no_bytes_raise_an_exception(body: bytes) -> None:
    for raw in (body, multipart(body), b"VARIABLE_NAME\tVARIABLE_VALUE\n" + body):
        report = clean(raw, PEPPER)
        values = parse(report.body)
        read(values)
        assert all("\0" not in key + value for key, value in values.items())


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "VERSION",
                "UNAME_MACHINE",
                "UNAME_DISTRIBUTION",
                "MEM_TOTAL",
                "CPU_COUNT",
                "UPTIME",
                "COLLATION_SERVER",
                "FEEDBACK_WHEN",
                "SLAVE_CONNECTIONS",
                "LOG_BIN",
            ]
        ),
        st.text(max_size=60),
    )
)
def test_no_values_raise_an_exception_and_labels_stay_plain(values: dict[str, str]) -> None:
    facts = read(values).facts
    if facts:
        for label in (facts.series, facts.version, facts.system, facts.distribution):
            assert label.isascii()
            assert 0 < len(label) <= 40
            assert label[0] not in "=+-@"
