#!/bin/sh
# Lighthouse over the ten main pages of a running demonstration: four scores a page, a line each.
#
#   make run &                      in one terminal
#   make lighthouse                 in another; BASE=http://localhost:8000
#
# Lighthouse is an npm package and no part of the portal: it is fetched into a folder of its own.
set -eu
BASE=${BASE:-http://localhost:8000}
FOLDER=${LIGHTHOUSE_DIR:-${TMPDIR:-/tmp}/portal-lighthouse}
VERSION=12.8.2
export CHROME_PATH="${CHROME_PATH:-/usr/bin/chromium}"
PAGES=${PAGES:-"/ /releases/ /releases/exampledb/12.3.0/ /repositories/ /governance/ /governance/motions/ /governance/elections/board-odd-years/result/ /supporters/ /statistics/ /benchmarks/"}

mkdir -p "$FOLDER"
if [ ! -x "$FOLDER/node_modules/.bin/lighthouse" ]; then
    npm install --silent --no-audit --no-fund --prefix "$FOLDER" "lighthouse@$VERSION"
fi
number=0
for page in $PAGES; do
    number=$((number + 1))
    "$FOLDER/node_modules/.bin/lighthouse" "$BASE$page" --quiet --output=json \
        --output-path="$FOLDER/$number.json" \
        --only-categories=performance,accessibility,best-practices,seo \
        --chrome-flags="--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
    node -e '
        const report = require(process.argv[1]);
        const scores = Object.values(report.categories).map((c) => Math.round(c.score * 100));
        const failed = Object.values(report.categories).flatMap((c) => c.auditRefs
            .filter((ref) => ref.weight && report.audits[ref.id].score !== null && report.audits[ref.id].score < 0.9)
            .map((ref) => ref.id));
        console.log([process.argv[2], ...scores, failed.join(" ")].join(" | "));
    ' "$FOLDER/$number.json" "$page"
done
