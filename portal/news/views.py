"""The list and the pages of announcements."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.news.models import Announcement

PER_PAGE = 20


@require_safe
def announcement_list(request: HttpRequest) -> HttpResponse:
    published = Announcement.objects.published(timezone.now())
    page = Paginator(published, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "news/list.html", {"page": page})


@require_safe
def announcement_detail(request: HttpRequest, slug: str) -> HttpResponse:
    published = Announcement.objects.published(timezone.now())
    announcement = get_object_or_404(published.select_related("author"), slug=slug)
    return render(request, "news/detail.html", {"announcement": announcement})
