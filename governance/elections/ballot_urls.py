"""Pages and addresses of the keys of an election, of its ballots, and of its count."""

from django.urls import path

from governance.views import (
    ballot,
    election_countback,
    election_manifest,
    election_result,
    keyholder,
)

ELECTION = "governance/elections/<slug:name>/"
KEYS = f"{ELECTION}keys/"
RESULT = f"{ELECTION}result/"
patterns = [
    path("governance/elections/vote.zip", ballot.vote_client, name="vote_client"),
    path(KEYS, keyholder.election_keys, name="election_keys"),
    path(f"{KEYS}deal/", keyholder.key_deal, name="key_deal"),
    path(f"{KEYS}manifest/", keyholder.manifest_write, name="manifest_write"),
    path(f"{KEYS}manifest/take-back/", keyholder.manifest_take_back, name="manifest_take_back"),
    path(f"{KEYS}<slug:role>/<int:place>/<slug:act>/", keyholder.key_act, name="key_act"),
    path(f"{ELECTION}manifest/", election_manifest.election_manifest_page, name="manifest_page"),
    path(f"{ELECTION}manifest.json", ballot.manifest_json, name="election_manifest"),
    path(f"{ELECTION}blocks.jsonl", ballot.blocks, name="election_blocks"),
    path(f"{ELECTION}vote/", ballot.vote, name="vote"),
    path(f"{ELECTION}credential/", ballot.credential, name="credential"),
    path(f"{ELECTION}ballots/", ballot.ballots, name="ballots"),
    path(f"{ELECTION}ballots/<slug:digest>/", ballot.ballot_found, name="ballot_found"),
    path(RESULT, election_result.result, name="result"),
    path(f"{RESULT}declare/", election_result.election_declare, name="election_declare"),
    path(f"{ELECTION}result.json", election_result.result_json, name="result_json"),
    path(f"{ELECTION}bundle.zip", election_result.bundle_zip, name="bundle_zip"),
    path(
        f"{RESULT}<slug:constituency>/what-if/",
        election_result.result_what_if,
        name="result_what_if",
    ),
    path(
        f"{RESULT}<slug:constituency>/countback/",
        election_countback.result_countback,
        name="result_countback",
    ),
    path(
        f"{RESULT}<slug:constituency>/stages.csv",
        election_result.result_stages,
        name="result_stages",
    ),
    path(
        f"{RESULT}<slug:constituency>/papers.<slug:kind>",
        election_result.result_papers,
        name="result_papers",
    ),
]
