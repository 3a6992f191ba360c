"""The letter to whose comment was answered, promised in the transaction of the answer."""

from textwrap import indent

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise

from governance.letters import about
from governance.models import Motion, Silence
from governance.models.comment import Comment
from portal.lib import outbox


def answered(answer: Comment, motion: Motion, *, page: str, place: str | Promise) -> None:
    """Once for each answer. Nobody writes to themselves, or to who switched it off."""
    before = answer.reply_to
    if before is None or before.author_id == answer.author_id:
        return
    if Silence.objects.filter(user=before.author_id).exists():
        return
    outbox.enqueue(
        to=before.author.email,
        template="comment_answered",
        context={
            "answer": answer,
            "reader": before.author,
            "title": motion.title,
            "place": place,
            "text": _quoted(motion, answer.text),
            "before": _quoted(motion, before.text),
            "link": f"{settings.BASE_URL}{page}#comment-{answer.pk}",
            "own": f"{settings.BASE_URL}{reverse('governance:own')}#letters",
        },
        key=f"comment_answered:{answer._meta.model_name}:{answer.pk}",
        about=about(motion),
    )


def _quoted(motion: Motion, text: str) -> str:
    """As the public reads it."""
    return indent(motion.as_public(text), "  ")
