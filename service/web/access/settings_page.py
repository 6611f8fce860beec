"""Display preferences: language, theme and suit colours, stored in a cookie."""

from litestar import get, post
from litestar.response import Redirect, Response

from service.access.admission import authenticate_optionally
from service.dependencies import Asked, PageRequest, see_other
from service.web.access.clubs_page import clubs_of_browser
from service.web.format.preferences import preferences_cookie, preferences_of
from service.web.format.render import Reader

CHOICES = frozenset({"language", "theme", "suits"})


@get("/settings", opt={"public": True}, guards=[authenticate_optionally])
async def show_settings(request: PageRequest, back: Asked = "/") -> Response[str]:
    policy = request.app.state["viewers_know"]
    clubs = await clubs_of_browser(request)
    return Reader(request).page("settings.html", back=back, viewers_know=policy, clubs=clubs)


@post("/settings", opt={"public": True})
async def store_settings(request: PageRequest) -> Redirect:
    form = await request.form()
    back = str(form.get("back", "/"))
    # Accept only a path on this site: `//` would lead to another host.
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    look = preferences_of(request)
    # The menu sends only the language; the other preferences keep their values.
    current = {"language": look.language if look.chosen else "", "theme": look.theme}
    chosen = current | {"suits": look.suits} | {name: str(form[name]) for name in CHOICES & {*form}}
    return see_other(back, preferences_cookie(**chosen))
