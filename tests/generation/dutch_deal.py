"""One random deal of Dutch, written down as it is played (`dutch_watched`).

The result is true, so no rule may refuse it.
"""

from tests.generation.dutch_table import score
from tests.generation.dutch_watched import Entry, ObservedDeal, Script


class RealDeal(ObservedDeal):
    def run(self) -> Script:
        self.deal()
        self.looks()
        while not self.table.over:
            self.between()
            if not self.table.over:
                self.one_turn()
        self.between()
        while not self.table.done:
            self.reveal()
        self.finish()
        return self.script

    def totals(self) -> tuple[int, ...]:
        return tuple(self.written.get(seat, 0) for seat in range(self.table.seats))

    def finish(self) -> None:
        table = self.table
        points = score(self.totals(), table.caller, table.counter, self.options["tie"])
        self.script.points = tuple(points)

    # --- before the first turn ------------------------------------------------------------------

    def deal(self) -> None:
        """Write the deal: the turned card, hands given whole, in part or not."""
        table = self.table
        entry: Entry = {"type": "deal", "dealer": table.dealer}
        hands = [self.given(row) for row in table.rows]
        name = self.named(table.pile[0].real, entry, "up")
        table.pile[0].named = name
        if any(hands) or self.often(0.1):
            entry["hands"] = hands
        self.write(entry)

    def given(self, row: dict[int, str]) -> list[str] | None:
        """Return the codes of a row as recorded at the deal: all, some, or None."""
        if not self.often(self.habits.given):
            return None
        whole = self.often(0.6)
        shown = [self.seen(card) if whole or self.often(0.5) else "??" for card in row.values()]
        self.sure.update(card for card in shown if card[1] != "?")
        return shown

    def looks(self) -> None:
        for seat in self.chance.sample(range(self.table.seats), self.table.seats):
            if self.often(0.6):
                self.look(seat, self.chance.sample(range(4), 2))
            if self.breach(0.3):
                self.snap_anything(seat)

    # --- between turns --------------------------------------------------------------------------

    def between(self) -> None:
        for _ in range(self.chance.choice([1, 2, 3, 4])):
            if self.table.over and (self.table.fixed or self.table.done):
                return
            self.chance.choice(
                [
                    self.snap_match,
                    self.snap_match,
                    self.mistake,
                    self.power,
                    self.punish,
                    self.calls,
                    self.counters,
                    self.unruly,
                ]
            )()

    def snap_match(self) -> None:
        table = self.table
        if not table.window or not table.pile or not self.often(self.habits.snap):
            return
        for seat in range(table.seats):
            self.throw_matching(seat)

    def mistake(self) -> None:
        if self.table.window and self.often(self.habits.mistake):
            seat = self.seat_with_cards()
            if seat is not None:
                self.throw_wrong(seat)

    def power(self) -> None:
        """Use a power (`dutch.queen`, `dutch.jack`)."""
        table = self.table
        if not table.powers:
            return
        place = self.chance.randrange(len(table.powers))
        seat, rank = table.powers[place]
        place = table.powers.index((seat, rank))
        if self.often(0.7):
            self.exercise(seat, rank, place + 1)

    def punish(self) -> None:
        seat = self.seat_with_cards()
        if seat is not None and not self.table.fixed and self.often(0.06):
            self.table.punish(seat, self.options["penalty"])
            self.write({"type": "penalty", "seat": seat})

    def calls(self) -> None:
        table = self.table
        if table.caller is not None or table.over or not self.often(self.habits.call):
            return
        ever = self.options["call"] == "any"
        seats = [
            seat
            for seat in range(table.seats)
            if ever or table.begins(seat) or table.has_ended(seat)
        ]
        self.call(self.chance.choice(seats))

    def call(self, seat: int, *breaks: str) -> None:
        self.table.call(seat, self.options["call"])
        self.write({"type": "dutch", "seat": seat}, *breaks)

    def counters(self) -> None:
        table = self.table
        seats = [seat for seat in range(table.seats) if table.may_counter(seat)]
        if seats and self.often(0.2):
            seat = self.chance.choice(seats)
            table.counts_dutch(seat, instead=table.begins(seat))
            self.write({"type": "counter", "seat": seat})

    # --- breaches -------------------------------------------------------------------------------

    def unruly(self) -> None:
        if not self.habits.breach or self.table.fixed:
            return
        if self.breach():
            self.chance.choice(
                [
                    self.late_look,
                    self.no_power,
                    self.trade_nothing,
                    self.late_call,
                    self.late_counter,
                ]
            )()

    def late_look(self) -> None:
        """Look too late, again, too far along or twice at one card."""
        seat = self.seat_with_cards()
        table = self.table
        if seat is not None and (table.begun or seat in table.looked):
            slots = list(table.rows[seat])
            self.look(
                seat, [self.chance.choice(slots), self.chance.choice(slots)], "dutch.first-look"
            )

    def no_power(self) -> None:
        table = self.table
        seat, rank = self.chance.randrange(table.seats), self.chance.choice("QJ")
        own = {one for owner, one in table.powers if owner == seat}
        if rank not in own:
            clause = {"Q": "dutch.queen", "J": "dutch.jack"}[rank] if own else "dutch.powers"
            self.exercise(seat, rank, 0, clause)

    def trade_nothing(self) -> None:
        jacks = [power for power in self.table.powers if power[1] == "J"]
        if jacks and self.places():
            seat, place = jacks[0][0], self.chance.choice(self.places())
            del self.table.powers[: self.table.powers.index(jacks[0]) + 1]
            self.write({"type": "trade", "seat": seat, "a": place, "b": place}, "dutch.jack")

    def late_call(self) -> None:
        """Call at a wrong moment, or again (which changes nothing)."""
        table = self.table
        seat = self.chance.randrange(table.seats)
        if table.caller is not None:
            self.write({"type": "dutch", "seat": seat}, "dutch.call")
            return
        due = table.begins(seat) or table.has_ended(seat) or self.options["call"] == "any"
        if not table.over and not due and self.often(0.3):
            self.call(seat, "dutch.call")

    def late_counter(self) -> None:
        """Counter at a wrong moment: the turn is not given up."""
        table = self.table
        seat = self.chance.randrange(table.seats)
        if table.caller in {None, seat} or table.counter is not None or table.may_counter(seat):
            return
        table.counts_dutch(seat, instead=False)
        self.write({"type": "counter", "seat": seat}, "dutch.counter")

    # --- a turn ---------------------------------------------------------------------------------

    def one_turn(self) -> None:
        """Draw or take, then swap or drop."""
        table = self.table
        seat, breaks = table.turn, list[str]()
        if self.breach(0.5) and table.seats > 1:
            seat = self.chance.choice([one for one in range(table.seats) if one != seat])
            breaks = ["table.turn"]
        if (not table.stock and len(table.pile) < 2) or self.often(0.35):
            table.take(seat)
            self.write({"type": "take", "seat": seat}, *breaks)
        else:
            card = table.draw(seat)
            entry: Entry = {"type": "draw", "seat": seat}
            if self.often(self.habits.told):
                self.named(card, entry)
            self.write(entry, *breaks)
        if table.caller is None and self.options["call"] == "any" and self.often(self.habits.call):
            self.call(self.chance.randrange(table.seats))
        if self.breach(0.3):
            self.mid_turn(seat)
        if not table.over:
            self.discard(seat)

    def mid_turn(self, seat: int) -> None:
        table = self.table
        other = self.chance.randrange(table.seats)
        self.chance.choice(
            [
                lambda: self.snap_anything(other),
                lambda: self.call(seat, "dutch.call") if table.caller is None else None,
                lambda: self.call(other, "dutch.call") if table.caller is None else None,
                self.late_look,
                self.late_counter,
                self.punish,
                self.no_power,
            ]
        )()

    def discard(self, seat: int) -> None:
        table = self.table
        assert table.held is not None
        card, origin = table.held
        slots = list(table.rows[seat])
        drops = not slots or (self.often(0.4) if origin == "drawn" else self.breach())
        entry: Entry = {"type": "drop" if drops else "swap", "seat": seat}
        laid = card
        if not drops:
            slot = entry["slot"] = self.chance.choice(slots)
            laid, table.rows[seat][slot] = table.rows[seat][slot], card
        name = self.named(laid, entry)
        table.lay(seat, laid, name)
        table.end_turn(seat)
        self.write(entry, *(["dutch.take-swap"] if drops and origin == "taken" else []))

    # --- the end --------------------------------------------------------------------------------

    def reveal(self) -> None:
        """Turn a row up: its cards, its points, or some cards and the points of all."""
        table = self.table
        seat = self.chance.choice(table.to_act)
        row = [table.rows[seat][slot] for slot in sorted(table.rows[seat])]
        value = self.value(row)
        entry: Entry = {"type": "reveal", "seat": seat}
        way = self.chance.choice(["cards", "cards", "points", "both"])
        if self.often(self.habits.unsure):
            entry["unsure"] = True
        if way == "points":
            entry["points"] = value
        else:
            hidden = self.chance.randrange(len(row)) if way == "both" else -1
            entry["cards"] = [
                "??" if place == hidden else self.seen(card) for place, card in enumerate(row)
            ]
            if way == "both" or "K?" in entry["cards"]:
                entry["points"] = value
            if not entry.get("unsure"):
                self.sure.update(entry["cards"])
        table.fixed, table.window, table.powers = True, False, []
        table.revealed[seat] = self.written[seat] = value
        self.write(entry)
