"""How the pages look to a reader: language, theme, suits; kept in a cookie of this phone."""

from litestar import get, post
from litestar.response import Redirect, Response

from service.access.admission import authenticate_optionally
from service.dependencies import Asked, PageRequest, see_other
from service.web.access.clubs_page import names_of_clubs
from service.web.format.preferences import look_cookie, preferences_of
from service.web.format.render import Reader

CHOICES = frozenset({"language", "theme", "suits"})


@get("/settings", opt={"public": True}, guards=[authenticate_optionally])
async def show_settings(request: PageRequest, back: Asked = "/") -> Response[str]:
    """Show the choices; `back`: the page the reader came from."""
    told = request.app.state["viewers_know"]
    clubs = await names_of_clubs(request)
    return Reader(request).page("settings.html", back=back, viewers_know=told, clubs=clubs)


@post("/settings", opt={"public": True})
async def keep_settings(request: PageRequest) -> Redirect:
    """Keep the choices and go back to where the reader was."""
    form = await request.form()
    back = str(form.get("back", "/"))
    # Only a path of our own: a second slash would lead to another host.
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    look = preferences_of(request)
    # The language alone is chosen in the menu of every page: the rest stays as it was.
    kept = {"language": look.language if look.chosen else "", "theme": look.theme}
    chosen = kept | {"suits": look.suits} | {name: str(form[name]) for name in CHOICES & {*form}}
    return see_other(back, look_cookie(**chosen))
