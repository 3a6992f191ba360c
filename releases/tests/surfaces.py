"""Every public address on which a release can be seen: the one list for the embargo.

`OWN` are addresses of ExampleDB 12.3.0 itself or of what exists only through it: 200 once it is
published, 404 before. `SHARED` are addresses that answer always, and must not tell its version or
its series before. `test_embargo.py` walks both as a draft, as a scheduled release, and published.

A part that shows releases in a new place adds its addresses here, nothing else.
"""

VERSION = "12.3.0"
SERIES = "12.3"
PAGE = "/releases/exampledb/12.3.0/"
FILE = f"{PAGE}exampledb-12.3.0.tar.gz"
DEB = "exampledb-server_12.3.0_amd64.deb"
RPM = "exampledb-server-12.3.0-1.el9.x86_64.rpm"

OWN = [
    # the catalogue
    "/releases/exampledb/",
    PAGE,
    FILE,
    f"{PAGE}{DEB}",
    f"{FILE}.md5",
    f"{FILE}.sha1",
    f"{FILE}.sha256",
    f"{FILE}.sha512",
    f"{FILE}.asc",
    f"{PAGE}sha256sums.txt",
    # for programs and calendars
    "/releases/exampledb/feed.atom",
    "/releases/exampledb/feed.json",
    "/releases/exampledb/calendar.ics",
    "/releases/exampledb/endoflife.json",
    "/releases/exampledb/roadmap.svg",
    "/releases/exampledb/series/12.3/",
    "/releases/exampledb/downloads/",
    "/releases/exampledb/downloads.csv",
    "/releases/exampledb/?at=2026-01-01",
    # APT
    "/repo/12.3/",
    "/repo/12.3",
    "/repo/12.3/debian/",
    "/repo/12.3/debian/dists/",
    "/repo/12.3/debian/dists/bookworm/",
    "/repo/12.3/debian/dists/bookworm/InRelease",
    "/repo/12.3/debian/dists/bookworm/Release",
    "/repo/12.3/debian/dists/bookworm/Release.gpg",
    "/repo/12.3/debian/dists/bookworm/main/binary-amd64/",
    "/repo/12.3/debian/dists/bookworm/main/binary-amd64/Packages.gz",
    "/repo/12.3/debian/pool/",
    f"/repo/12.3/debian/pool/main/e/exampledb-server/{DEB}",
    # YUM
    "/yum/12.3/rhel/9/",
    "/yum/12.3/rhel/9/x86_64/",
    "/yum/12.3/rhel/9/x86_64/repodata/",
    "/yum/12.3/rhel/9/x86_64/repodata/repomd.xml",
    "/yum/12.3/rhel/9/x86_64/repodata/repomd.xml.asc",
    "/yum/12.3/rhel/9/x86_64/packages/e/",
    f"/yum/12.3/rhel/9/x86_64/packages/e/{RPM}",
    # the configuration generator
    "/repositories/?format=json",
    "/repositories/?distribution=debian-12&format=sources",
    "/repositories/?series=12.3&distribution=rhel-9&format=repo",
    # the downloads REST API
    "/rest-api/exampledb/",
    "/rest-api/exampledb/all-releases/",
    "/rest-api/exampledb/all-releases/?olderReleases=true",
    "/rest-api/exampledb/12.3/",
    "/rest-api/exampledb/12.3/latest/",
    "/rest-api/exampledb/12.3.0/",
    "/rest-api/exampledb/12.3.0/exampledb-12.3.0.tar.gz",
    "/rest-api/exampledb/12.3.0/exampledb-12.3.0.tar.gz/checksum/",
    "/rest-api/exampledb/12.3.0/exampledb-12.3.0.tar.gz/signature/",
    # keys: named after the product that first used them
    "/keys/exampledb-keyring.asc",
    "/keys/exampledb-files.asc",
]
SHARED = [
    "/",
    "/search/?q=exampledb",
    "/api/v1/search?q=exampledb",
    "/releases/",
    "/releases/?at=2040-01-01",
    "/releases/feed.atom",
    "/releases/feed.json",
    "/releases/calendar.ics",
    "/releases/endoflife.json",
    "/repositories/",
    "/repo/",
    "/yum/",
    "/sitemap.xml",
    "/news/",
    "/news/feed.atom",
    "/news/feed.json",
    "/news/feeds/release.atom",
    "/news/reports/",
    "/rest-api/products/",
    "/rest-api/mirrors/",
    "/advisories/",
    "/advisories/feed.atom",
    "/advisories/osv/all.json",
    "/advisories/osv/all.zip",
    "/advisories/csaf/",
    "/advisories/csaf/index.txt",
    "/advisories/csaf/changes.csv",
    "/advisories/csaf/csaf-feed-tlp-white.json",
    "/advisories/csaf/category-white.json",
    "/.well-known/csaf/provider-metadata.json",
    "/.well-known/csaf/service.json",
    "/releases/portal_upload.py",
    "/releases/portal_upload.py.sha256",
]
