"""A phone without a network."""

from playwright.async_api import BrowserContext

# Chromium says that it is offline before its network service knows: under load one request in a
# thousand still went through.
UNTIL_REFUSED = """async () => {
    for (let asked = 0; asked < 200; asked += 1) {
        const signal = AbortSignal.timeout(2000);
        try { await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal }); }
        catch { return; }
    }
}"""


async def lose_line(context: BrowserContext) -> None:
    """Take the network away; return once no page of the context reaches the service."""
    await context.set_offline(offline=True)
    for page in context.pages:
        await page.evaluate(UNTIL_REFUSED)


# The same the other way round, for the page and for the service worker, which fetches static files.
UNTIL_REACHED = """async () => {
    for (let asked = 0; asked < 200; asked += 1) {
        const signal = AbortSignal.timeout(2000);
        try { return void await fetch('/static/none', { cache: 'no-store', signal }); }
        catch { await new Promise((done) => setTimeout(done, 50)); }
    }
}"""


async def find_line(context: BrowserContext) -> None:
    """Give the network back; return once each page of the context reaches the service."""
    await context.set_offline(offline=False)
    for page in context.pages:
        await page.evaluate(UNTIL_REACHED)
