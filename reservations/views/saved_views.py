"""Saved views: an address under a name. Somebody else's private ones are as if they were not there."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from reservations.domain.site_path import UnableToKeepPath, site_path
from reservations.forms.saved_views import SaveViewForm, ViewForm
from reservations.selectors.saved_views import SavedViewRow, saved_views_of
from reservations.services.saved_views import UnableToSaveView, change_view, delete_view, save_view

CRUMBS = (("Preferences", reverse_lazy("reservations:me")), ("Saved views", ""))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def saved_views(request: HttpRequest) -> HttpResponse:
    """``/views/``: GET lists them, POST keeps one and leads back to the page it shows."""
    if request.method != "POST":
        context = {"crumbs": CRUMBS, "views": saved_views_of(user_id=request.user.pk)}
        return render(request, "reservations/saved_views.html", context)
    form = SaveViewForm(request.POST)
    if not (form.is_valid() and _saved(request, form)):
        context = {"crumbs": CRUMBS, "form": form, "views": saved_views_of(user_id=request.user.pk)}
        return render(request, "reservations/saved_views.html", context, status=400)
    messages.success(request, f"“{form.cleaned_data['name']}” is kept among your saved views.")
    return redirect(form.cleaned_data["path"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def saved_view(request: HttpRequest, view_id: int) -> HttpResponse:
    """``/views/<id>/``: GET opens it, POST renames it or shares it; only one's own can be changed."""
    view = _one(request, view_id)
    if request.method != "POST":
        return redirect(_path(view))
    form = ViewForm(request.POST)
    if not (form.is_valid() and _changed(request, view_id, form)):
        context = {
            "crumbs": CRUMBS,
            "mending": form,
            "mended": view_id,
            "views": saved_views_of(user_id=request.user.pk),
        }
        return render(request, "reservations/saved_views.html", context, status=400)
    messages.success(request, f"“{form.cleaned_data['name']}” is kept as it is now.")
    return redirect("reservations:views")


@require_POST
def delete(request: HttpRequest, view_id: int) -> HttpResponse:
    """``/views/<id>/delete/``: one of one's own is gone; 404 for anybody else's."""
    if not delete_view(view_id=view_id, user_id=request.user.pk):
        raise Http404("There is no such view of yours.")
    messages.success(request, "The view is deleted.")
    return redirect("reservations:views")


def _one(request: HttpRequest, view_id: int) -> SavedViewRow:
    for view in saved_views_of(user_id=request.user.pk):
        if view.id == view_id:
            return view
    raise Http404("There is no such view.")


def _path(view: SavedViewRow) -> str:
    """Its address, looked at once more on the way out."""
    try:
        return site_path(view.path)
    except UnableToKeepPath as unable:
        raise Http404("That view leads nowhere.") from unable


def _saved(request: HttpRequest, form: SaveViewForm) -> bool:
    return _done(form, lambda: save_view(user_id=request.user.pk, **form.cleaned_data))


def _changed(request: HttpRequest, view_id: int, form: ViewForm) -> bool:
    def change() -> None:
        if not change_view(view_id=view_id, user_id=request.user.pk, **form.cleaned_data):
            raise Http404("There is no such view of yours.")

    return _done(form, change)


def _done(form: ViewForm, write: Callable[[], object]) -> bool:
    """Whether it could be written; the sentence that says why not stands in the form."""
    try:
        write()
    except UnableToSaveView as unable:
        sentence = str(unable)
        form.add_error("name", f"{sentence[0].upper()}{sentence[1:]}.")
        return False
    return True
