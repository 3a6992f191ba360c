"""What stands below /governance/bylaws/: texts, proposals, comments, spelling."""

from django.urls import path

from governance.views import bylaws, clause_comment, feed, proposal, rebase, typo

PROPOSAL = "proposals/<slug:reference>/"
TEXT = "<slug:slug>"

urlpatterns = [
    path("", bylaws.bylaws_list, name="bylaws_list"),
    path("feed.<slug:form>", feed.bylaws, name="bylaws_feed"),
    path(PROPOSAL, proposal.proposal_detail, name="proposal"),
    path(f"{PROPOSAL}edit/", proposal.proposal_edit, name="proposal_edit"),
    path(f"{PROPOSAL}rebase/", rebase.proposal_rebase, name="proposal_rebase"),
    path(f"{PROPOSAL}comments/", clause_comment.comment_new, name="clause_comment_new"),
    path(
        f"{PROPOSAL}comments/<int:pk>/hide/",
        clause_comment.comment_hide,
        name="clause_comment_hide",
    ),
    path(
        f"{PROPOSAL}comments/<int:pk>/show/",
        clause_comment.comment_show,
        name="clause_comment_show",
    ),
    path("typos/<int:pk>/decide/", typo.typo_decide, name="typo_decide"),
    path(f"{TEXT}/", bylaws.bylaws_detail, name="bylaws"),
    path(f"{TEXT}.json", bylaws.bylaws_json, name="bylaws_json"),
    path(f"{TEXT}/changes/", bylaws.bylaws_changes, name="bylaws_changes"),
    path(f"{TEXT}/propose/", proposal.proposal_new, name="proposal_new"),
    path(f"{TEXT}/<int:number>/", bylaws.bylaws_version, name="bylaws_version"),
    path(f"{TEXT}/<int:number>.pdf", bylaws.bylaws_file, name="bylaws_pdf"),
    path(f"{TEXT}/<int:number>.md", bylaws.bylaws_markdown, name="bylaws_markdown"),
    path(f"{TEXT}/<int:number>/typos/new/", typo.typo_new, name="typo_new"),
]
