"""The taps of a new user for each entry type, by game."""

import re
from collections.abc import Sequence

from tests.browser.durak_table import BOUNCE_MS
from tests.browser.newcomer import Entry, plain
from tests.browser.newcomer_player import Player


class EuchrePlayer(Player):
    async def tap_deal(self, entry: Entry) -> None:
        await self.dealer(entry)
        await self.eyes.press(self.eyes.card(entry["turn_up"]))

    async def tap_pass(self, _entry: Entry) -> None:
        await self.eyes.press(self.eyes.word("Passes"))

    async def tap_order(self, _entry: Entry) -> None:
        starts = self.eyes.word("Orders %(suit)s", suit="")
        await self.eyes.press(re.compile(f"^{re.escape(starts)}"))

    async def tap_accept(self, entry: Entry) -> None:
        unseen = self.eyes.word("Accepts %(suit)s, lays one face down", suit="*")
        await self._away(entry["discard"], unseen.replace("*", ".*"))

    async def tap_exchange(self, entry: Entry) -> None:
        """Take the card turned up, or leave it."""
        if entry["take"]:
            await self._away(entry["discard"], self.eyes.word("Takes it, lays one face down"))
        else:
            await self.eyes.press(self.eyes.word("Leaves it"))

    async def _away(self, card: str, unseen: str) -> None:
        if card == "??":
            return await self.eyes.press(re.compile(unseen))
        await self.eyes.unfold(self.eyes.word("The card laid away was seen"))
        return await self.eyes.press(self.eyes.card(card))

    async def tap_name(self, entry: Entry) -> None:
        await self.eyes.press(self.eyes.words("suit|suit", suit=entry["suit"]))

    async def tap_play(self, entry: Entry) -> None:
        await self.eyes.press(self.eyes.card(entry["card"]))


class DurakPlayer(Player):
    async def tap_deal(self, entry: Entry) -> None:
        await self.dealer(entry)
        await self.eyes.press(self.eyes.card(entry["trump"]))

    async def tap_lowest(self, entry: Entry) -> None:
        if "card" in entry:
            await self.eyes.choose(self.eyes.card(entry["card"]))
        await self.eyes.press(self.eyes.called(entry["seat"]))

    async def tap_redeal(self, entry: Entry) -> None:
        assert entry["reason"] == "no_trump"
        await self.eyes.press(self.eyes.word("Nobody holds a trump: deal again"))

    async def tap_attack(self, entry: Entry) -> None:
        """Attack, or add."""
        await self._lay(entry, entry["cards"])

    async def tap_pass_on(self, entry: Entry) -> None:
        await self._lay(entry, entry["cards"])

    async def tap_beat(self, entry: Entry) -> None:
        await self._lay(entry, [entry["with"]])

    async def _lay(self, entry: Entry, cards: Sequence[str]) -> None:
        if len(cards) > 1:
            return await self._several(entry)
        key = self.eyes.button(self.eyes.card(cards[0]))
        if await key.count():
            return await self.eyes.press(self.eyes.card(cards[0]))
        await self.eyes.unfold(f"{self.eyes.card(cards[0])}, {self.eyes.word('which way?')}")
        return await self.eyes.press(self.eyes.sentence(entry))

    async def _several(self, entry: Entry) -> None:
        eyes = self.eyes
        words = {"attack": "Attacks", "pass_on": "Passes on"}[entry["type"]]
        await eyes.unfold(eyes.word("More"))
        await eyes.choose(eyes.called(entry["seat"]))
        for card in entry["cards"]:
            await eyes.page.get_by_role("checkbox", name=plain(eyes.card(card)), exact=True).tap()
        await eyes.press(eyes.word(words))

    async def tap_take(self, entry: Entry) -> None:
        await self.eyes.press(f"{self.eyes.called(entry['seat'])} {self.eyes.word('takes')}")

    async def tap_done(self, entry: Entry) -> None:
        """Be done, or all of them."""
        eyes = self.eyes
        # The same word at the same place at once is a finger that bounced.
        await eyes.page.wait_for_timeout(BOUNCE_MS)
        if entry["seat"] is None:
            await eyes.press(eyes.word("all done"))
        else:
            await eyes.press(f"{eyes.called(entry['seat'])} {eyes.word('done')}")

    async def tap_away(self, entry: Entry) -> None:
        eyes, rank = self.eyes, entry["cards"][0]
        await eyes.unfold(eyes.word("lay a four away"))
        await eyes.choose(eyes.called(entry["seat"]))
        named = "_('Lays four of a kind away') ~ pgettext('before words', ': ') ~ code|letter"
        await eyes.press(eyes.words(named, code=rank))


class DutchPlayer(Player):
    implies = (("draw", "drop"), ("draw", "swap"))
    top = ""

    async def tap_deal(self, entry: Entry) -> None:
        await self.dealer(entry)
        await self._pick(entry["up"])
        self.top = entry["up"]

    async def _pick(self, card: str, saying: str = "") -> None:
        name = f"{saying} {self.eyes.card(card)}".strip()
        rank = self.eyes.words("_('%(rank)s, of which suit?', rank=code|letter)", code=card)
        if not await self.eyes.button(name).count():
            await self.eyes.unfold(rank)
        await self.eyes.press(name)

    async def tap_look(self, entry: Entry) -> None:
        eyes, name = self.eyes, self.eyes.called(entry["seat"])
        if entry["slots"] == [0, 1] and "cards" not in entry:
            await eyes.press(eyes.word("%(name)s looks at cards 1 and 2", name=name))
            return
        await eyes.unfold(eyes.word("More"))
        for slot in range(4):
            box = eyes.page.get_by_role("checkbox", name=str(slot + 1), exact=True)
            if await box.is_checked() != (slot in entry["slots"]):
                await box.tap()
        if "cards" in entry:
            await eyes.page.get_by_role("textbox", name=plain(eyes.word("Seen:"))).tap()
            for card in entry["cards"]:
                await eyes.press(eyes.word("unseen") if card == "??" else eyes.card(card))
        await eyes.press(eyes.word("%(name)s looks at these", name=name))

    async def tap_draw(self, entry: Entry) -> None:
        """Draw a card, seen or not."""
        if "card" not in entry:
            return await self.eyes.press(self.eyes.word("Draws"))
        await self.eyes.unfold(self.eyes.word("More"))
        return await self._pick(entry["card"], self.eyes.word("Draws"))

    async def tap_take(self, _entry: Entry) -> None:
        starts = re.escape(self.eyes.word("Takes up"))
        await self.eyes.press(re.compile(f"^{starts} "))

    async def together(self, entry: Entry, after: Entry) -> bool:
        both = await super().together(entry, after)
        if not both or after["type"] != "swap":
            return both
        return not await self.eyes.button(self._named(after["seat"], after["slot"])).count()

    def _named(self, seat: int, slot: int) -> re.Pattern[str]:
        name = self.eyes.words(
            "_('%(name)s, card %(slot)s', name=name, slot=slot)",
            name=self.eyes.called(seat),
            slot=slot + 1,
        )
        return re.compile(rf"^{re.escape(name)}(?!\d)")

    async def _slot(self, seat: int, slot: int) -> bool:
        starts = self._named(seat, slot)
        fits = self.eyes.button(starts)
        if await fits.count():
            await fits.tap()
            return True
        await self.eyes.page.get_by_role("radio", name=starts).tap()
        return False

    async def tap_swap(self, entry: Entry) -> None:
        await self._slot(entry["seat"], entry["slot"])
        await self._pick(entry["card"], self.eyes.word("Swapped:"))
        self.top = entry["card"]

    async def tap_drop(self, entry: Entry) -> None:
        unused = self.eyes.word("Discards it unused")
        self.top = entry["card"]
        if await self.eyes.button(unused).count():
            await self.eyes.press(unused)
        else:
            await self._pick(entry["card"])

    async def tap_snap(self, entry: Entry) -> None:
        """Throw a card on the pile, rightly or wrongly."""
        eyes, fits = self.eyes, entry["card"][0] == self.top[0]
        if await self._slot(entry["seat"], entry["slot"]):
            self.top = entry["card"]
            return
        if fits:
            self.top = entry["card"]
            await self._pick(entry["card"], eyes.word("Thrown on the pile:"))
            return
        eyes.mistake = entry
        wrong = "ngettext('Thrown wrongly: +%(num)s card', 'Thrown wrongly: +%(num)s cards', 1)"
        if await eyes.summary(eyes.words(wrong)).count():
            await eyes.unfold(eyes.words(wrong))
        await self._pick(entry["card"], eyes.word("Thrown wrongly:"))

    async def tap_peek(self, entry: Entry) -> None:
        eyes, name = self.eyes, self.eyes.called(entry["seat"])
        await self._slot(*entry["place"])
        if "card" not in entry:
            await eyes.press(eyes.word("%(name)s looks at it", name=name))
            return
        await eyes.unfold(eyes.word("%(name)s looks, and it was seen:", name=name))
        await self._pick(entry["card"], eyes.word("%(name)s looks:", name=name))

    async def tap_trade(self, entry: Entry) -> None:
        """Exchange two cards by a jack: two slots, or seats and slots in turn."""
        eyes, words = self.eyes, self.eyes.word("%(name)s exchanges it with…", name="*")
        await self._slot(*entry["a"])
        able = eyes.page.locator("summary:visible", has_text=re.compile(words.replace("*", ".+")))
        if await able.count() == 1:
            await self._slot(*entry["b"])
            return
        one, (other, slot) = eyes.called(entry["seat"]), entry["b"]
        await eyes.unfold(words.replace("*", one))
        said = "_('%(one)s exchanges it with card %(slot)s of %(name)s', "
        said += "one=one, name=name, slot=slot)"
        await eyes.press(eyes.words(said, one=one, name=eyes.called(other), slot=slot + 1))

    async def tap_penalty(self, entry: Entry) -> None:
        await self.eyes.unfold(self.eyes.word("More"))
        said = "_('%(name)s looked without permission', name=name)"
        await self.eyes.press(self.eyes.words(said, name=self.eyes.called(entry["seat"])))

    async def tap_dutch(self, entry: Entry) -> None:
        await self.eyes.press(f"{self.eyes.called(entry['seat'])} {self.eyes.word('Dutch!')}")

    async def tap_counter(self, entry: Entry) -> None:
        # When a turn begins, the key also says that the call takes its place.
        said = f"{self.eyes.called(entry['seat'])} {self.eyes.word('Contre Dutch!')}"
        await self.eyes.press(re.compile(r"\s+".join(map(re.escape, said.split()))))

    async def tap_reveal(self, entry: Entry) -> None:
        """Count a row, by its cards or its points."""
        eyes, name = self.eyes, self.eyes.called(entry["seat"])
        if await eyes.page.locator(".revealer > summary:visible", has_not_text=name).count():
            await eyes.unfold(eyes.word("Who reveals?"))
        who = eyes.page.get_by_role("link", name=name, exact=True)
        if await who.count() and await who.get_attribute("aria-current") is None:
            await who.tap()
            await eyes.page.wait_for_url("**seat=*")
            await eyes.page.wait_for_selector("html[data-ready]", state="attached")
        if "cards" in entry:
            await eyes.choose(eyes.word("Cards"))
            for card in entry["cards"]:
                if not await eyes.page.locator(".fills:visible").count():
                    break  # the others are known, and filled in
                if card == "??":
                    await eyes.press(eyes.word("unseen"))
                else:
                    await self._pick(card)
            if "points" in entry:
                await eyes.type(entry["points"])
            await eyes.press(eyes.word("These cards"))
        else:
            await eyes.choose(eyes.word("Points"))
            await eyes.type(entry["points"])
            await eyes.press(eyes.word("Count them"))


class RamiPlayer(Player):
    implies = (("draw", "discard"),)

    async def tap_deal(self, entry: Entry) -> None:
        await self.dealer(entry)
        await self._card(entry["up"])

    async def _card(self, code: str) -> None:
        await self.eyes.press(self.eyes.card("XX" if code[2:] else code))

    async def tap_draw(self, entry: Entry) -> None:
        assert "card" not in entry
        await self.eyes.press(self.eyes.word("Draws"))

    async def tap_take(self, _entry: Entry) -> None:
        starts = re.escape(self.eyes.word("Takes up"))
        await self.eyes.press(re.compile(f"^{starts} "))

    async def tap_discard(self, entry: Entry) -> None:
        throw = self.eyes.page.get_by_role("radio", name=self.eyes.word("Throw"), exact=True)
        if await throw.count():
            await self.eyes.choose(self.eyes.word("Throw"))
        await self._card(entry["card"])

    async def tap_meld(self, entry: Entry) -> None:
        """Lay combinations: a run by its ends."""
        eyes = self.eyes
        # A player who owes cards cannot throw, so there is nothing to choose.
        if await eyes.page.get_by_role("radio", name=eyes.word("Throw"), exact=True).count():
            await eyes.choose(eyes.word("Lay"))
        for number, cards in enumerate(entry["melds"]):
            if number:
                await eyes.press(eyes.word("Next one"))
            plain_run = len({one[0] for one in cards}) == len(cards) and all(
                not one[2:] for one in cards
            )
            for code in (cards[0], cards[-1]) if plain_run else cards:
                await self._card(code)
            for stands in (code for code in cards if code[2:]):
                await self._choose_joker_card(stands)
        await eyes.press(eyes.word("Lays them"))

    async def _choose_joker_card(self, code: str) -> None:
        eyes = self.eyes
        meaning = eyes.word("suit left open") if code[1] == "?" else eyes.card(code[:2])
        name = plain(f"{eyes.word('Joker')}: {meaning}")
        built = eyes.page.locator(".groups:visible li").last
        other = built.get_by_role("button", name=name, exact=True)
        if await other.count():
            await other.tap()

    async def tap_add(self, entry: Entry) -> None:
        await self._combination(entry["meld"])
        said = "_('Add %(card)s', card=code|card)"
        await self.eyes.press(self.eyes.words(said, code=entry["cards"][0]))

    async def tap_swap_joker(self, entry: Entry) -> None:
        await self._combination(entry["meld"])
        said = "_('Swap the joker for %(card)s', card=code|card)"
        await self.eyes.press(self.eyes.words(said, code=entry["card"]))

    async def _combination(self, number: int) -> None:
        lines = self.eyes.page.locator(".combos summary:visible")
        counted = self.eyes.page.locator("b", has_text=re.compile(rf"^\s*{number}\s*$"))
        await lines.filter(has=counted).tap()

    async def tap_count(self, entry: Entry) -> None:
        eyes = self.eyes
        await eyes.choose(eyes.called(entry["seat"]))
        if "cards" in entry:
            await eyes.choose(eyes.word("Cards"))
            for code in entry["cards"]:
                await self._card(code)
        else:
            await eyes.choose(eyes.word("Points"))
            await eyes.type(entry["points"])
        await eyes.press(eyes.word("Count them"))


PLAYERS: dict[str, type[Player]] = {
    "euchre": EuchrePlayer,
    "durak": DurakPlayer,
    "dutch": DutchPlayer,
    "rami": RamiPlayer,
}
