"""On a league night's desk page, players are checked in and scores are entered quickly; phones scan a table's card."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PATIENCE
from tests.e2e.taps import choose, press, press_save, take_bid
from tests.e2e.test_league_night import NAMES, Night, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from tests.e2e.conftest import OpenPhone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TAP_ALL = """names => {
  const buttons = names.map((name) => document.querySelector(`.door [data-name^="${name}"]`));
  const before = buttons.map((button) => button.getBoundingClientRect().top);
  for (const button of buttons) button.click();
  return buttons.every((button, index) => button.getBoundingClientRect().top === before[index]);
}"""


def test_fast_check_in_loses_no_tap_and_moves_no_name(page: Page) -> None:
    """Quick check-in at the desk loses no tap and no typed name.

    Several names are tapped while the first request is still open. Then more names are typed without waiting.
    """
    night = Night(page, [])
    set_up(night)
    page.set_viewport_size({"width": 1366, "height": 768})
    door, here = page.locator("#door"), page.locator("#door h2 small")
    for left, name in enumerate(("Ann", "Bob", "Cid", "Dee", "Eve", "Fay"), 1):
        press(page.locator("#here").get_by_role("button", name=name, exact=True))
        expect(here).to_have_text(f"{20 - left} here")
    expect(door.get_by_role("button", name="Fay", exact=True)).to_be_enabled()
    page.get_by_label("New player").fill("Max")
    assert page.evaluate(TAP_ALL, ["Ann", "Bob", "Cid", "Dee"])
    expect(door.get_by_role("button", name="Eve", exact=True)).to_be_enabled()
    expect(here).to_have_text("18 here")
    expect(page.get_by_label("New player")).to_have_value("Max")
    find = page.get_by_label("Find a name")
    find.focus()
    for name in ("eve", "fay", "lou"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(find).to_have_value("")
    expect(here).to_have_text("21 here")
    expect(door.locator("[data-name]:not([aria-disabled])")).to_have_count(1)
    expect(find).to_be_focused()


def test_no_name_moves_under_a_finger(page: Page) -> None:
    """The list of names doesn't change while a finger is on it, and who is checked in keeps the place in the list.

    A tap just after the page has changed does nothing. Otherwise, the finger would check in a neighbor.
    """
    set_up(Night(page, []))
    door, here = page.locator("#door"), page.locator("#door h2 small")
    for left, name in enumerate(("Ann", "Bob", "Cid", "Dee"), 1):
        press(page.locator("#here").get_by_role("button", name=name, exact=True))
        expect(here).to_have_text(f"{20 - left} here")
    expect(door.get_by_role("button", name="Dee", exact=True)).to_be_enabled()
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))
    finger = page.context.new_cdp_session(page)
    ann, bob, cid = (door.locator(f"[data-name^={name}]") for name in ("Ann", "Bob", "Cid"))
    ann.tap()
    expect(here).to_have_text("17 here")
    page.clock.run_for(690)
    box = bob.bounding_box()
    assert box
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    page.clock.run_for(120)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(bob).to_be_disabled()
    page.clock.run_for(50)
    expect(here).to_have_text("18 here")
    expect(ann).to_be_attached()
    page.clock.run_for(800)
    expect(door.get_by_role("button", name="Undo Bob")).to_be_attached()
    box = cid.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 9, box["y"] + 9)
    page.clock.run_for(299)
    expect(cid).to_be_enabled()
    page.clock.run_for(1)
    page.touchscreen.tap(box["x"] + 9, box["y"] + 9)
    expect(here).to_have_text("19 here")
    expect(door.locator("[data-name^=Dee]")).to_be_enabled()


def test_a_signed_out_desk_reloads_by_itself(page: Page) -> None:
    """If the director's browser is signed out, the open desk page reloads by itself once no typed text would be lost.

    Without a reload, people might type a whole round of scores that can't be saved.
    """
    set_up(Night(page, []))
    page.get_by_label("New player").fill("Max")
    page.context.clear_cookies()
    with page.expect_response("**/desk", timeout=PATIENCE) as asked:
        pass
    assert asked.value.status == 403
    page.wait_for_timeout(300)
    expect(page.get_by_label("New player")).to_have_value("Max")
    page.get_by_label("New player").fill("")
    expect(page.locator(".halves")).not_to_be_attached()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_three_taps_from_the_card_to_the_first_hand_and_the_desk_follows(open_phone: OpenPhone) -> None:
    """After a table card is scanned, one tap starts scoring, and the next taps enter the first bid.

    The desk then shows the saved hand without a reload.
    """
    desk, phone = open_phone(), open_phone()
    night = Night(desk, [phone])
    set_up(night)
    press(desk.get_by_role("button", name="Make the seating"))
    expect(desk.locator(".rounds a")).to_have_count(4)
    line = desk.locator(".grid .line").first
    ours = night.seats()[0][::2]
    desk.goto(f"{night.path}/cards")
    phone.goto(desk.locator(".way-there a").first.get_attribute("href") or "")
    desk.goto(f"{night.path}/desk")
    desk.get_by_label("Table 5:").first.fill("9")
    press(phone.get_by_role("button", name="Score this table").first)
    take_bid(phone, ours[0], 4)
    assert "cards" not in phone.url, "the card's token is in no address"
    choose(phone, *(" and ".join(ours),) * 4)
    press_save(phone)
    expect(line.locator(".pts")).to_have_text(["4", "0"])
    expect(desk.get_by_label("Table 5:").first).to_have_value("9")


def test_a_button_changes_the_sign_of_points(page: Page) -> None:
    """A button at the desk changes the sign of points, because a phone's number pad may lack a minus key."""
    night = Night(page, [])
    set_up(night)
    press(page.get_by_role("button", name="Make the seating"))
    field = page.locator(".grid .line [data-points]").first
    field.fill("4")
    sign = page.locator(".grid .line [data-sign]").first
    press(sign)
    expect(field).to_have_value("-4")
    expect(field).to_be_focused()
    press(sign)
    expect(field).to_have_value("4")


def test_the_title_of_the_night_fits_a_small_tv(page: Page) -> None:
    night = Night(page, [])
    set_up(night)
    press(page.get_by_role("button", name="Make the seating"))
    expect(page.locator(".rounds a")).to_have_count(4)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{night.path}/tv")
    for part in page.locator(".head h1, .head h1 b").all():
        assert part.evaluate(
            "part => part.scrollWidth <= part.clientWidth || getComputedStyle(part).display == 'inline'"
        )
    title = page.locator(".head h1 b")
    assert title.evaluate("part => part.getBoundingClientRect().right <= innerWidth")


def test_pages_and_logs_write_dates_in_one_style(page: Page) -> None:
    night = Night(page, [])
    set_up(night)
    page.goto(night.path)
    page.get_by_role("navigation").get_by_role("link", name="Standings").click()
    long = re.compile(r"\b[A-Z][a-z]+ \d{1,2}, \d{4}\b")
    days = long.findall(page.locator("main").inner_text())
    page.goto((page.locator('a[href^="/leagues/"]').first.get_attribute("href") or "") + "/log")
    expect(page.locator("time").first).to_have_text(re.compile(rf"^{long.pattern}, "))
    logged = long.findall(page.locator("time").first.inner_text())
    assert days[:1] == logged, "the night was opened today"


def test_the_desk_shows_what_was_done_on_a_small_phone(page: Page) -> None:
    """On a small phone, the desk's page scrolls to the result after a form is sent.

    The result is, for example, the new tables, a wrong score or the closed night.
    """
    night = Night(page, [])
    set_up(night)
    page.set_viewport_size({"width": 360, "height": 640})
    press(page.get_by_role("button", name="Make the seating"))
    expect(page.get_by_text("The seating is made.")).to_be_in_viewport()
    expect(page.locator(".grid .line").first).to_be_in_viewport()
    for line, (ours, theirs) in enumerate((("21", "10"), ("21", "3"), ("21", "4"), ("21", "5"), ("21", ""))):
        for side, points in enumerate((ours, theirs)):
            page.locator(".grid .line").nth(line).locator("[data-points]").nth(side).fill(points)
    press(page.get_by_role("button", name="Save scores"))
    expect(page.get_by_text("Saved, except the tables marked below.")).to_be_attached()
    expect(page.locator(".grid .line").nth(4).get_by_role("alert")).to_be_in_viewport()
    page.get_by_label("New player").fill("Moe")
    press(page.get_by_role("button", name="Add and check in"))
    expect(page.locator("#came")).to_have_text(re.compile(r"Moe is checked in\.\s+Moe has no seat yet"))
    expect(page.locator("#came")).to_be_in_viewport()
    press(page.locator("#came a").first)
    press(page.get_by_role("button", name="Redo seating from round 2"))
    expect(page.get_by_text("New seating from round 2.")).to_be_in_viewport()
    press(page.get_by_role("button", name="Close night anyway"))
    expect(page.get_by_text("This night is closed.")).to_be_in_viewport()


def _tops(page: Page, rows: str) -> list[float]:
    found: list[float] = page.evaluate(
        "rows => [...document.querySelectorAll(`[data-rows=${rows}] [data-row]`)]"
        ".map((row) => row.getBoundingClientRect().top)",
        rows,
    )
    return found


def _tops_of(found: list[Locator]) -> list[float]:
    return [each.evaluate("button => button.getBoundingClientRect().top") for each in found]


def test_eighteen_quick_taps_check_in_the_right_eighteen(page: Page) -> None:
    """Taps at the places where the names stood first, a quarter of a second apart, check in exactly those people."""
    night = Night(page, [])
    set_up(night, arrive=False)
    page.set_viewport_size({"width": 390, "height": 2600})
    page.goto(f"{night.path}/desk")
    expect(page.locator(".door [data-name]")).to_have_count(len(NAMES.split()))
    buttons = page.locator(".door [data-name]").all()[:18]
    names = [button.get_attribute("data-name") for button in buttons]
    before = _tops_of(buttons)
    for box in [button.bounding_box() for button in buttons]:
        assert box
        page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2)
        page.wait_for_timeout(250)
    expect(page.locator("#door h2 small")).to_have_text("18 here")
    assert _tops_of(buttons) == before
    page.reload()
    page.locator("#here summary").click()
    here = page.locator("[data-rows=here] [data-row]")
    expect(here).to_have_count(18)
    assert sorted(row.inner_text().split()[0] for row in here.all()) == sorted(str(name).split()[0] for name in names)


def test_eighteen_quick_taps_mark_the_right_eighteen_as_paid(page: Page) -> None:
    """Taps at the places where the names stood first, a quarter of a second apart, mark exactly those people.

    Nothing moves, each row can be undone, and the same holds for people who go home one after another.
    """
    night = Night(page, [])
    set_up(night, {"Entry fee per night": "5.00"})
    page.set_viewport_size({"width": 390, "height": 2600})
    page.goto(f"{night.path}/desk")
    page.locator("#fees summary").click()
    rows = page.locator("[data-rows=fees] [data-row]")
    expect(rows).to_have_count(20)
    page.wait_for_timeout(400)
    before, places = _tops(page, "fees"), [row.bounding_box() for row in rows.all()[:18]]
    names = [row.inner_text() for row in rows.all()]
    for box in places:
        assert box
        page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2)
        page.wait_for_timeout(250)
    expect(page.locator("#fees summary")).to_contain_text("18 of 20 paid")
    expect(page.locator("[data-rows=fees] .done")).to_have_count(18)
    assert _tops(page, "fees") == before
    assert [row.inner_text().split()[0] for row in rows.all()] == names
    expect(page.locator(".told")).to_have_text(re.compile("^Paid: "))
    press(rows.nth(3).get_by_role("button", name="Undo"))
    expect(page.locator("#fees summary")).to_contain_text("17 of 20 paid")
    expect(rows.nth(3).get_by_role("button")).to_have_text(names[3])
    page.locator("#here summary").click()
    page.wait_for_timeout(400)
    before = _tops(page, "here")
    for index in (0, 1, 4):
        box = page.locator("[data-rows=here] [data-row]").nth(index).bounding_box()
        assert box
        page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2)
        page.wait_for_timeout(1100)
    expect(page.locator("#door h2 small")).to_have_text("17 here")
    assert _tops(page, "here") == before
    press(page.locator("[data-rows=here] [data-row]").nth(1).get_by_role("button", name="Undo"))
    expect(page.locator("#door h2 small")).to_have_text("18 here")
    page.goto(page.locator("a[href^='/seasons/']").first.get_attribute("href") or "")
    page.goto(f"{page.url.partition('?')[0]}/money")
    before = _tops(page, "accounts")
    owing = page.locator("[data-rows=accounts] [data-row]", has_text="owes")
    who = [owing.nth(index).locator("a").inner_text() for index in range(3)]
    places = [owing.nth(index).get_by_role("button").bounding_box() for index in range(3)]
    for box in places:
        assert box
        page.mouse.click(box["x"] + 9, box["y"] + 9)
        page.wait_for_timeout(600)
    expect(page.locator("[data-rows=accounts] [data-row]", has_text="Undo").locator("a")).to_have_text(who)
    assert _tops(page, "accounts") == pytest.approx(before, abs=1)


def test_paid_is_whole_below_a_name_of_two_lines(page: Page) -> None:
    night = Night(page, [])
    set_up(night, {"Entry fee per night": "5.00"}, arrive=False)
    page.goto(f"{night.path}/desk")
    page.locator(".new-name [name=name]").fill("Irene Montgomery")
    press(page.get_by_role("button", name="Add and check in"))
    press(page.locator("#fees summary"))
    press(page.locator("[data-rows=fees]").get_by_role("button", name="Irene Montgomery"))
    paid = page.locator("[data-rows=fees] .done > :first-child")
    expect(paid).to_contain_text("paid")
    assert paid.evaluate("all => all.scrollHeight <= all.clientHeight")
    press(page.locator(".door .row").first.get_by_role("button", name="Paid"))
    tile = page.locator(".door .done > :first-child")
    expect(tile).to_have_text("Ann Paid")


def test_what_is_pressed_after_taps_waits_for_them(page: Page) -> None:
    """While the server is slow, eight names are tapped, and then the button for the seating: all eight get a seat.

    A link waits as well, so that no tap is lost. What is pressed after something that is refused is not done.
    """
    night = Night(page, [])
    set_up(night, arrive=False)
    page.set_viewport_size({"width": 390, "height": 2600})
    page.goto(f"{night.path}/desk")
    expect(page.locator(".door [data-name]")).to_have_count(len(NAMES.split()))
    held: list[Route] = []
    asked: list[str] = []
    page.on(
        "request", lambda request: asked.append(request.url.rpartition("/")[2]) if request.method == "POST" else None
    )
    page.route(re.compile(r"/people(/new)?$"), lambda route: held.append(route))  # noqa: PLW0108  Playwright marks it

    def release() -> None:
        """Let the requests through, one after the other, until no more come."""
        for _look in range(20):
            page.wait_for_timeout(50)
            for route in held:
                route.continue_()
            held.clear()

    buttons = page.locator(".door [data-name]").all()
    for button in buttons[:8]:
        button.click()
    page.get_by_role("button", name="Make the seating").click()
    page.wait_for_timeout(500)
    assert asked == ["people"]
    release()
    expect(page.get_by_text("The seating is made.")).to_be_visible()
    assert asked == ["people", "people", "draw"]
    expect(page.locator("#door h2 small")).to_have_text("8 here")
    expect(page.locator(".grid .line")).to_have_count(2)
    page.wait_for_timeout(400)
    asked.clear()
    page.get_by_label("New player").fill(NAMES.split()[0])
    page.get_by_role("button", name="Add and check in").click()
    page.get_by_role("button", name="Redo seating from round 1").click()
    release()
    expect(page.locator("#door [role=alert]")).to_be_visible()
    assert asked == ["new"]
    page.locator(".new-name [name=name]").fill("")
    page.wait_for_timeout(400)
    page.locator(".door [data-name]:not([aria-disabled])").first.click()
    page.get_by_role("link", name="Standings", exact=True).first.click()
    page.wait_for_timeout(500)
    assert page.url.partition("?")[0].endswith("/desk")
    release()
    expect(page).to_have_url(re.compile("/seasons/"))
    page.goto(f"{night.path}/desk")
    expect(page.locator("#door h2 small")).to_have_text("9 here")


WHOLE = """selector => [...document.querySelectorAll(selector)].filter((line) => {
  const range = document.createRange();
  range.selectNodeContents(line);
  const box = line.getBoundingClientRect();
  const rects = [...range.getClientRects()].filter(({ width }) => width > 1);
  return rects.some(({ bottom, right }) => bottom > box.bottom + 1 || right > box.right + 1);
}).map((line) => line.textContent)"""


def test_long_lines_are_whole_on_the_tv_and_at_the_desk(page: Page) -> None:
    """On the TV, no title is cut off and no letter at its foot; at a wide desk, a forfeit has the width of its row."""
    page.goto("/leagues")
    page.get_by_label("League name").fill("Thursday Night Setback at Grange Hall")
    press(page.get_by_role("button", name="Create league"))
    press(page.get_by_role("link", name="Add players"))
    names = (
        "Peggy Gagnon",
        "Guy Irving",
        "Jay Young",
        "Gary Quigley",
        "Polly Griggs",
        "Kay Jaggy",
        "Roy Pym",
        "Judy Gipp",
    )
    page.get_by_label("Names").fill("\n".join(names))
    press(page.get_by_role("button", name="Add players"))
    press(page.get_by_role("link", name="Thursday Night Setback"))
    press(page.get_by_role("link", name="Start a season"))
    page.get_by_label("Season name").fill("2026/27")
    press(page.get_by_role("button", name="Start season"))
    press(page.get_by_role("button", name="Open a night"))
    desk = page.url.partition("?")[0].partition("#")[0]
    for count, name in enumerate(names, 1):
        press(page.locator("#door").get_by_role("button", name=name, exact=True))
        expect(page.locator("#door h2 small")).to_have_text(f"{count} here")
    press(page.get_by_role("button", name="Make the seating"))
    expect(page.get_by_text("The seating is made.")).to_be_visible()
    page.set_viewport_size({"width": 1366, "height": 768})
    press(page.locator("#forfeits summary").first)
    press(page.locator("#forfeits button").first)
    says = page.locator(".line .says")
    expect(says).to_contain_text("Forfeit: ")
    box = says.bounding_box()
    assert box
    assert box["width"] > 300
    for width, height in ((1366, 768), (1920, 1080), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(desk.replace("/desk", "/tv"))
        assert page.evaluate(WHOLE, ".bar, .names") == [], f"{width} x {height}"
