"""What the privacy page promises: each sentence with what keeps it, and the tests that say so.

A test of this list looks for the tests by their names, so none of them can go unnoticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise as Words
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Promise:
    """A sentence, what keeps it, and names of tests in `feedback/tests`."""

    sentence: str | Words
    kept_by: str | Words
    tests: Sequence[str]


REPORTS: Final = (
    Promise(
        _(
            "The network address a report comes from is never stored. At most the country it"
            " belongs to is kept."
        ),
        _(
            "The receiver asks the address for its country and forgets it; no table has a"
            " column for one."
        ),
        [
            "test_no_table_has_a_place_for_an_address_or_a_name",
            "test_of_the_address_only_the_country_is_kept",
        ],
    ),
    Promise(
        _(
            "A server is known by a keyed hash. What it calls itself is never stored, since it"
            " could be guessed."
        ),
        _("The receiver makes the hash with a secret that the database does not hold."),
        [
            "test_neither_the_identity_nor_the_address_of_a_sender_is_stored",
            "test_the_same_server_has_one_key_in_all_its_reports",
        ],
    ),
    Promise(
        _(
            "Values that could name a person, a company or a machine are blanked before anything"
            " is stored."
        ),
        _("The receiver blanks them by a list of 24 variables and the comments of private builds."),
        [
            "test_nothing_that_names_somebody_is_kept",
            "test_the_comment_of_a_private_build_is_blanked",
        ],
    ),
    Promise(
        _(
            "Who sends a report by hand sees what is kept before it is kept, and gets a code that"
            " deletes it."
        ),
        _("The form stores nothing; the page it shows carries the report, signed, for an hour."),
        [
            "test_people_see_what_is_kept_before_it_is_kept_and_can_delete_it",
            "test_a_preview_is_kept_within_the_hour_only",
        ],
    ),
    Promise(
        _(
            "Whoever has the code of a report gets all that is kept of it, and so does who showed"
            " that a server is theirs."
        ),
        _("The form below, and the list of one's own servers, give it as a file."),
        [
            "test_whoever_has_the_code_gets_all_that_is_kept_of_the_report",
            "test_a_server_is_named_exported_and_taken_off_the_list_by_its_owner",
        ],
    ),
    Promise(
        _(
            "What an administrator writes into feedback_user_info is never stored. A word that"
            " claims or deletes the server is read, obeyed, and forgotten."
        ),
        _("The receiver keeps the hash of such a word until the worker has obeyed it."),
        ["test_a_server_that_sends_the_code_joins_the_list_and_the_word_is_not_kept"],
    ),
    Promise(
        _(
            "A server stands on a private list only when it said itself whose it is, and until its"
            " owner takes it off."
        ),
        _("A row of that list is made by the server's own report and by nothing else."),
        [
            "test_a_server_that_sends_the_code_joins_the_list_and_the_word_is_not_kept",
            "test_a_server_is_named_exported_and_taken_off_the_list_by_its_owner",
        ],
    ),
    Promise(
        _("A server that was deleted is not taken in again by a report that comes late."),
        _("Its keyed hash is remembered for seven days, and reports of that time are refused."),
        [
            "test_all_that_is_kept_of_the_server_goes_and_of_no_other",
            "test_what_comes_late_from_a_deleted_server_is_not_taken_again",
        ],
    ),
    Promise(
        _("Every report is accounted for: how many came, were counted, were left out and why."),
        _("Each outcome is counted in the transaction that decides it."),
        ["test_the_sum_of_the_reports_adds_up"],
    ),
)

STATISTICS: Final = (
    Promise(
        _(
            "No cell below ten servers is published, and none that could be worked out from the"
            " others."
        ),
        _("Pages, JSON and CSV read from one place, which joins small cells with “other”."),
        [
            "test_nine_servers_are_too_few_to_show_and_ten_are_not",
            "test_no_published_cell_is_small_and_the_total_stays",
        ],
    ),
    Promise(
        _(
            "Until a day after its end, the counts of a month are rounded down to tens, on pages,"
            " in JSON and in CSV: before and after one report they look the same, unless a group"
            " reaches its next ten."
        ),
        _("The same place rounds them."),
        ["test_one_report_more_shows_nowhere_while_the_month_runs"],
    ),
    Promise(
        _("What a server writes never becomes a label: unknown values are counted as other."),
        _("Every text goes through a table of ours; a new name is shown when staff approved it."),
        [
            "test_no_values_raise_an_exception_and_labels_stay_plain",
            "test_only_approved_names_become_labels",
        ],
    ),
    Promise(
        _(
            "Servers whose reports contradict each other, as two machines with one identity, are"
            " not in the headline."
        ),
        _("Each report is compared with the one before it."),
        ["test_two_machines_with_one_identity_are_flagged_and_never_established"],
    ),
    Promise(
        _("Every percentage stands beside the number of servers it is taken of."),
        _("A percentage is computed from its base, and both are written together."),
        ["test_percentages_stand_beside_the_base_they_are_taken_of"],
    ),
)

TIMES: Final = (
    Promise(
        _("Raw reports are deleted after 90 days."),
        _("A job of each night; their month is dropped from the database when it is over."),
        ["test_raw_reports_go_after_90_days_and_facts_after_25_months"],
    ),
    Promise(
        _("Facts of a server are deleted after 25 months."),
        _("Each month lies in a part of its own, which is dropped from the database."),
        ["test_months_go_when_they_are_wholly_older_than_what_is_promised"],
    ),
    Promise(
        _("What remembers a deleted server goes after 7 days, a code to delete one after 30."),
        _("A job of each night."),
        ["test_tombstones_and_old_codes_are_forgotten"],
    ),
)
PROMISES: Final = (*REPORTS, *STATISTICS, *TIMES)
