"""Drives a site that `contrapositive site` wrote through headless Chromium, as a reader would.

    python browser.py FOLDER [--pictures FOLDER]

It needs the packages chromium and chromium-driver and Python's selenium. It filters and searches, follows links, looks for messages
in the console, for pages that scroll sideways, for text that stands out too little by day or by night, and works the lists with scripts
switched off; a site to be driven holds a Lemma 2. Every link of every page leads to a file and a place in it that exist; nothing leads to a network.
"""

import argparse
import base64
import functools
import http.server
import pathlib
import re
import sys
import threading
import urllib.parse
from html.parser import HTMLParser

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

WIDTHS = (400, 1400)
# The contrast that WCAG 2 asks of running text.
CONTRAST = 4.5


class Page(HTMLParser):
    """The places and the addresses in a page."""

    def __init__(self, text):
        super().__init__()
        self.places, self.addresses, self.titles = set(), [], 0
        # The values of each list, by its name.
        self.choices, self.list = {}, None
        self.feed(text)

    def has(self, place):
        """Whether the page has a place, or all that an address chooses from its lists ("paper=a&result=b")."""
        chosen = urllib.parse.parse_qsl(place, strict_parsing=True) if "=" in place else []
        choices = all(value in self.choices.get(name, ()) for name, value in chosen)
        return place in self.places or (bool(chosen) and choices)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            assert attributes["id"] not in self.places, f"two places named {attributes['id']}"
            self.places.add(attributes["id"])
        self.addresses += [attributes[name] for name in ("href", "src") if name in attributes]
        self.titles += tag == "h1"
        if tag == "select":
            self.list = attributes["name"]
        elif tag == "option":
            self.choices.setdefault(self.list, set()).add(attributes.get("value"))
        assert not any(name.startswith("on") for name in attributes), f"{tag} carries a script: {attributes}"


def links_hold(folder):
    """Every address leads to a file of the site, and to a place in it."""
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.html")}
    pages = {}
    for name, text in texts.items():
        try:
            pages[name] = Page(text)
        except AssertionError as fault:
            raise AssertionError(f"{name}: {fault}") from None
    count = 0
    for name, page in pages.items():
        assert page.titles == 1, f"{name} has {page.titles} titles"
        for address in page.addresses:
            if address == "data:,":
                continue
            parts = urllib.parse.urlsplit(address)
            assert not parts.scheme and not parts.netloc, f"{name} leads to {address}"
            there = name
            if parts.path:
                there = (folder / name).parent.joinpath(urllib.parse.unquote(parts.path)).resolve()
                assert there.is_file(), f"{name} leads to {address}, which is not there"
                there = there.relative_to(folder).as_posix()
            if parts.fragment and there in pages:
                place = urllib.parse.unquote(parts.fragment)
                assert pages[there].has(place), f"{name} leads to {address}, and {there} has no such place"
            count += 1
    assert len(pages) > 5 and count > 50, f"only {len(pages)} pages and {count} links"
    return sorted(pages)


def served(folder):
    """The address of a server for the folder, on this machine only."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in (
        "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update "
        "disable-sync hide-scrollbars force-device-scale-factor=1"
    ).split():
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path="/usr/bin/chromedriver"))


class Reader:
    """A browser and what its reader does."""

    def __init__(self, driver, root):
        self.driver, self.root = driver, root

    def look(self, width, dark=False):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, page):
        # A hash alone would not load anything.
        self.driver.get("about:blank")
        self.driver.get(self.root + page)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def shown(self):
        return [row for row in self.all(".claims tbody tr") if row.is_displayed()]

    def choose(self, name, value):
        Select(self.one(f"select[name={name}]")).select_by_value(value)

    def is_quiet(self, where):
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        assert not messages, f"{where} says in the console: {messages}"

    def does_not_scroll_sideways(self, where):
        inner, outer = self.driver.execute_script(
            "const d = document.documentElement; return [Math.max(d.scrollWidth, document.body.scrollWidth), d.clientWidth]"
        )
        assert inner <= outer, f"{where} is {inner} pixels wide on a screen of {outer}"

    def contrasts(self, where):
        """The least contrast of text with what is behind it."""
        found = self.driver.execute_script(
            """
            const channels = (text) => text.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
                .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = (element) => {
                for (let e = element; e; e = e.parentElement) {
                    const colour = channels(getComputedStyle(e).backgroundColor);
                    if (colour.length < 4 || colour[3] > 0) return colour;
                }
                return [255, 255, 255];
            };
            const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            let least = [99, ""];
            for (const element of document.querySelectorAll("p, li, td, th, code, a, h1, h2, h3, h4, .result, label, summary, figcaption, svg text")) {
                if (element.closest("svg") && element.tagName !== "text") continue;
                const style = getComputedStyle(element);
                const ink = element.closest("svg") ? style.fill : style.color;
                const found = ratio(light(channels(ink)), light(behind(element)));
                if (found < least[0]) least = [found, element.outerHTML.slice(0, 120)];
            }
            return least;
            """
        )
        assert found[0] >= CONTRAST, f"{where}: contrast {found[0]:.2f} of {found[1]}"

    def picture(self, folder, name):
        if not folder:
            return
        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        width = self.driver.execute_script("return document.documentElement.clientWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 4000), "scale": 1}
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
        (folder / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def filters(reader):
    """Lists and the search narrow the table down, count, and come back with the address."""
    reader.look(1400)
    reader.open("index.html")
    everything = len(reader.shown())
    assert everything > 3, f"the table has {everything} rows"
    results = [option.get_attribute("value") for option in reader.all("select[name=result] option")][1:]
    seen = 0
    for result in results:
        reader.choose("result", result)
        rows = reader.shown()
        assert rows and all(row.get_attribute("data-result") == result for row in rows), result
        assert reader.one("#count").text == f"{len(rows)} of {everything} statements"
        seen += len(rows)
    assert seen == everything, f"the results together have {seen} of {everything} rows"
    # A count on a card leads to as many rows.
    for count in reader.all(".paper p a[href*='result=']"):
        number = int(reader.driver.execute_script("return arguments[0].previousSibling.textContent.match(/\\d+/)[0]", count))
        count.click()
        WebDriverWait(reader.driver, 5).until(lambda _: len(reader.shown()) == number)
    reader.one("button[type=reset]").click()
    WebDriverWait(reader.driver, 5).until(lambda _: len(reader.shown()) == everything)
    # A name is found as it stands.
    spoken = lambda row: f"{row.text} {row.get_attribute('data-statement')}".lower()
    lemmas = [row.text for row in reader.shown() if "lemma 2" in spoken(row)]
    reader.one("#text").send_keys("lemma  2")
    assert lemmas and [row.text for row in reader.shown()] == lemmas, lemmas
    reader.one("#text").clear()
    name = reader.one(".claims tbody tr code").text
    reader.one("#text").send_keys(name.upper())
    assert [row.find_element(By.TAG_NAME, "code").text for row in reader.shown()][0] == name
    assert len(reader.shown()) < everything
    address = reader.driver.current_url
    assert name.split(".")[-1] in address.lower(), address
    reader.one("#text").send_keys(" nothing-has-this-word")
    assert not reader.shown() and reader.one("#none").is_displayed()
    reader.driver.get("about:blank")
    reader.driver.get(address)
    assert [row.find_element(By.TAG_NAME, "code").text for row in reader.shown()][0] == name, "the address keeps the search"
    reader.shown()[0].find_element(By.TAG_NAME, "a").click()
    assert name in reader.one("article").text, "the link leads to the page of its claim"
    reader.driver.back()
    assert len(reader.shown()) < everything, "the way back keeps the search"
    reader.is_quiet("the front page")


def without_scripts(reader):
    """The lists work by the style alone, and what needs a script is not there."""
    reader.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    reader.open("index.html")
    everything = len(reader.shown())
    value = reader.all("select[name=result] option")[1].get_attribute("value")
    reader.choose("result", value)
    rows = reader.shown()
    assert 0 < len(rows) < everything and all(row.get_attribute("data-result") == value for row in rows)
    assert not reader.one("#text").is_displayed()
    reader.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def looks(reader, pages, pictures):
    """Every page at both widths; contrast by day and by night; pictures of the main ones."""
    kinds = {}
    for page in pages:
        kinds.setdefault(kind(page), page)
    for page in pages:
        reader.look(400)
        reader.open(page)
        for width in WIDTHS:
            reader.look(width)
            reader.does_not_scroll_sideways(f"{page} at {width}")
            if kinds[kind(page)] == page:
                reader.picture(pictures, f"{kind(page)}-{width}")
        reader.is_quiet(page)
        if kinds[kind(page)] == page or kind(page) == "claim":
            for dark in (False, True):
                reader.look(1400, dark)
                reader.contrasts(f"{page}, {'dark' if dark else 'light'}")
            if kinds[kind(page)] == page:
                reader.picture(pictures, f"{kind(page)}-dark")
    assert {"front", "figures", "claim", "code"} <= set(kinds), f"pages of these kinds only: {sorted(kinds)}"


def kind(page):
    if page == "index.html":
        return "front"
    for ending, name in (("ERRATA.html", "errata"), ("DEPENDENCES.html", "graph"), (".rs.html", "code"), (".json.html", "witness")):
        if page.endswith(ending):
            return name
    if page.startswith("verify/") and re.search(r"/[a-z0-9.-]+\.html$", page) and ".py." not in page:
        return "claim"
    return pathlib.PurePosixPath(page).name.removesuffix(".html")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--pictures", type=pathlib.Path)
    options = arguments.parse_args()
    folder = options.folder.resolve()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    pages = links_hold(folder)
    driver = browser()
    try:
        reader = Reader(driver, served(folder))
        filters(reader)
        without_scripts(reader)
        looks(reader, pages, options.pictures)
        # A reader without a server opens the file itself.
        reader.root = folder.as_uri() + "/"
        filters(reader)
    finally:
        driver.quit()
    print(f"{len(pages)} pages hold at {' and '.join(map(str, WIDTHS))} pixels, by day and by night")


if __name__ == "__main__":
    sys.exit(main())
