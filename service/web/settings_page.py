"""How the pages look to a reader: language, theme, suits; kept in a cookie of this phone."""

from litestar import get, post
from litestar.response import Redirect, Response

from service.web.asking import Asked, PageRequest, see_other
from service.web.look import look_cookie
from service.web.render import Reader


@get("/settings", opt={"public": True})
async def show_settings(request: PageRequest, back: Asked = "/") -> Response[str]:
    """Show the choices; `back`: the page the reader came from."""
    return Reader(request).page("settings.html", back=back)


@post("/settings", opt={"public": True})
async def keep_settings(request: PageRequest) -> Redirect:
    """Keep the choices and go back to where the reader was."""
    form = await request.form()
    back = str(form.get("back", "/"))
    # Only a path of our own: a second slash would lead to another host.
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    cookie = look_cookie(
        str(form.get("language", "")), str(form.get("theme", "")), str(form.get("suits", ""))
    )
    return see_other(back, cookie)
