"""Checks of a page by axe, in both themes, and of its width in several windows.

The structure of a page does not depend on language or theme, so one load serves both themes: the
server's page differs in one attribute. To load a page and to start axe takes most of the time.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from playwright.async_api import Error, Page, ViewportSize

from tests.browser.conftest import SMALL
from tests.depth import run_size

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
Violation = dict[str, Any]
# In German, whose words are longest; with `--deep` in all.
LANGUAGES = ["de", "fr", "en"][: run_size(1, deep=3)]
AXE = (
    files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    # Finding the background of each text takes 90 % of axe's time; the fifty keys are all alike.
    + "\naxe.configure({rules: [{id: 'color-contrast', selector: '[data-weighed]'}]});"
)
ALIKE_MAX = run_size(2, deep=10_000)
# Mark the texts to check: a few of each colour, size and background.
# Positioned elements may overlap others; they are alike only with the same class names.
WEIGH = """(most) => {
    // Colours of buttons change gradually, also when the theme changes.
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
    const none = 'rgba(0, 0, 0, 0),none,none,1,';
    const known = new Map([[null, '']]);
    const layers = (node) => {
        if (!known.has(node)) {
            const { backgroundColor, backgroundImage, filter, opacity, position } =
                getComputedStyle(node);
            const free = position === 'static' ? '' : node.className || node.localName;
            const own = [backgroundColor, backgroundImage, filter, opacity, free].join();
            known.set(node, layers(node.parentElement) + (own === none ? '' : `/${own}`));
        }
        return known.get(node);
    };
    const isText = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim();
    const says = (node) =>
        node.matches('input, select, textarea') || [...node.childNodes].some(isText);
    const alike = {};
    for (const node of document.body.querySelectorAll('*')) {
        if (!says(node) || !node.checkVisibility()) continue;
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(node);
        const look = [layers(node), color, fontSize, fontWeight, textShadow].join();
        alike[look] = (alike[look] ?? 0) + 1;
        node.toggleAttribute('data-weighed', alike[look] <= most);
    }
}"""

SET_THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"

# Unfold some details and fold the others; show the progress of files in the making.
UNFOLD = """(only) => {
    for (const part of document.querySelectorAll('details')) part.open = part.matches(only);
    for (const part of document.querySelectorAll('[data-state]')) part.hidden = false;
}"""

# A window of 1280 × 1024 at 400 %.
ZOOMED: ViewportSize = {"width": 320, "height": 256}
LANDSCAPE: ViewportSize = {"width": 568, "height": 320}
# A phone of 390 × 844 at 200 %.
ENLARGED: ViewportSize = {"width": 195, "height": 422}
WINDOWS = {"small": SMALL, "zoomed": ZOOMED, "landscape": LANDSCAPE, "enlarged": ENLARGED}


async def violations(page: Page) -> list[Violation]:
    """Run all rules of axe on the open page, and those on contrast again in the dark theme."""
    if not await page.evaluate("() => 'axe' in window"):
        # An init script is parsed once per page, an evaluated script each time.
        await page.add_init_script(AXE)
        await page.evaluate(AXE)
    found = await _violations(page, RULES)
    theme: str = await page.evaluate("() => document.documentElement.dataset.theme")
    assert theme == "light", "pages are opened in the light theme"
    await page.evaluate(SET_THEME, "dark")
    found += await _violations(page, ["color-contrast"])
    await page.evaluate(SET_THEME, "light")
    return found


async def _violations(page: Page, rules: list[str]) -> list[Violation]:
    await page.evaluate(WEIGH, ALIKE_MAX)
    violated: list[Violation] = await page.evaluate(
        """async (rules) => {
            // At its end, where a bar at the bottom of the screen covers nothing of the page.
            scrollTo(0, document.documentElement.scrollHeight);
            // Where a node stands is told by its own words: the way to each takes long to find.
            const found = await axe.run(document, {
                runOnly: rules, resultTypes: ['violations'], selectors: false,
            });
            const { theme } = document.documentElement.dataset;
            return found.violations.map(({ id, nodes }) =>
                ({ id, theme, nodes: nodes.map((node) => node.html.slice(0, 200)).slice(0, 3) }));
        }""",
        rules,
    )
    return violated


async def violations_with_retry(page: Page) -> list[Violation]:
    """Run axe, and again if the page changed meanwhile, such as by a fetched part."""
    try:
        return await violations(page)
    except Error:
        await page.wait_for_load_state()
        return await violations(page)


async def too_wide(page: Page, windows: Mapping[str, ViewportSize]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, window in windows.items():
        await page.set_viewport_size(window)
        width: int = await page.evaluate("() => document.scrollingElement.scrollWidth")
        if width > window["width"]:
            found[name] = width
    return found


async def faults(page: Page, windows: Mapping[str, ViewportSize] = WINDOWS) -> list[object]:
    """Return the faults of the open page: axe violations, and windows it is too wide for."""
    found: list[object] = [*await violations_with_retry(page)]
    size = page.viewport_size or SMALL
    found += (await too_wide(page, windows)).items()
    await page.set_viewport_size(size)
    return found
