import pytest

from feedback.receiver.request import BadRequestError, is_report, parse_head


@pytest.mark.parametrize(
    "line",
    [
        b"POST /rest/v1/post HTTP/1.0\r\n",
        b"POST //rest/v1/post HTTP/1.0\r\n",
        b"POST /feedback_plugin/post HTTP/1.0\r\n",
        b"POST /rest/v1/post/ HTTP/1.1\r\n",
        b"POST /rest/v1/post?from=fleet HTTP/1.1\r\n",
        b"POST http://localhost:28484//rest/v1/post HTTP/1.0\r\n",
        b"POST https://[::1]:443/rest/v1/post HTTP/1.0\r\n",
        b"POST rest/v1/post HTTP/1.0",
    ],
)
def test_every_way_that_a_server_posts_is_a_report(line: bytes) -> None:
    assert is_report(line)


@pytest.mark.parametrize(
    "line",
    [
        b"GET /rest/v1/post HTTP/1.1\r\n",
        b"POST /rest/v1/poster HTTP/1.1\r\n",
        b"POST /statistics/rest/v1/post HTTP/1.1\r\n",
        b"POST /join/?next=/rest/v1/post HTTP/1.1\r\n",
        b"POST ftp://host/rest/v1/post HTTP/1.0\r\n",
        b"POST /rest/v1/post HTTP/2.0\r\n",
        b"POST /rest/v1/post",
        b"",
        b"\x16\x03\x01\x02\x00",
    ],
)
def test_anything_else_is_none(line: bytes) -> None:
    assert not is_report(line)


def test_a_head_is_read_with_names_in_small_letters() -> None:
    head = parse_head(b"POST / HTTP/1.0\r\nContent-LENGTH: 12\r\nX: a:b\r\n")
    assert head.line == b"POST / HTTP/1.0"
    assert head.length == 12
    assert head.headers["x"] == "a:b"


@pytest.mark.parametrize(
    "raw",
    [
        b"POST / HTTP/1.0",
        b"POST / HTTP/1.0\r\nContent-Length: -1",
        b"POST / HTTP/1.0\r\nContent-Length: ten",
        "POST / HTTP/1.0\r\nContent-Length: ١٢".encode(),
        b"POST / HTTP/1.0\r\nContent-Length: " + b"9" * 40,
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 3",
        b"POST / HTTP/1.0\r\nno colon here",
    ],
)
def test_a_body_without_a_plain_length_is_refused(raw: bytes) -> None:
    with pytest.raises(BadRequestError):
        _ = parse_head(raw).length
