"""Random evidence about one true deal of a small pack, with all deals that fit it."""

from collections.abc import Sequence
from random import Random

from domain.inference.evidence import AllMoved, Evidence, Narrowed, Seen, Shuffled, Summed, Unseen
from domain.inference.flow import Flow
from domain.inference.worlds import Place
from domain.table.cards import Pack
from tests.domain.inference import enumeration

STOCK, PILE, HANDS, ASIDE = 0, 3, (1, 2), (4, 5, 6)
ROWS = ((HANDS[0],), (HANDS[1], ASIDE[0]), (ASIDE[1], ASIDE[2], PILE))
# Sources and targets by event.
FROM = {"deal": (STOCK,), "throw": HANDS, "lay": HANDS, "take": ASIDE, "mix": (PILE,)}
TO = {"deal": HANDS, "throw": (PILE,), "lay": ASIDE, "take": HANDS, "mix": (STOCK,)}
LIKELY = ["deal", "deal", "deal", "lay", "lay", "throw", "throw", "take", "mix"]


class Story:
    def __init__(self, seed: int, pack: Pack) -> None:
        self.chance = Random(seed)  # noqa: S311 deals, not secrets
        self.pack = pack
        self.true: list[Place] = [STOCK] * len(pack)
        self.told: list[Evidence] = []
        self.deals = enumeration.every_deal(len(pack), STOCK)

    def tell(self, *pieces: Evidence) -> None:
        self.told += pieces
        self.deals = enumeration.after_all(self.deals, pieces)

    def go_on(self, steps: int, *, narrowed: bool = False) -> None:
        """Add `steps` events; `narrowed`: part of the face of some cards is seen."""
        for version in range(steps):
            kind = self.chance.choice(LIKELY)
            able = [place for place in FROM[kind] if place in self.true]
            if not able:
                continue
            source, target = self.chance.choice(able), self.chance.choice(TO[kind])
            there = [card for card, place in enumerate(self.true) if place == source]
            gone = there if kind in {"take", "mix"} else [self.chance.choice(there)]
            face = self.pack.copies[self.pack.codes[gone[0]]]
            pieces: dict[str, Evidence] = {
                "take": AllMoved(source, target, version),
                "mix": Shuffled(source, target, version),
                "throw": Seen(source, face, target, version),
            }
            self.tell(pieces.get(kind, Unseen(source, target, 1, version)))
            for card in gone:
                self.true[card] = target
            if narrowed and kind in {"deal", "lay"} and self.true.count(target) == 1:
                other = 1 << self.chance.randrange(len(self.pack))
                self.tell(Narrowed(target, face | other, version))

    def flow(self) -> Flow | None:
        """Return the flow of the evidence; None if it cannot be expressed as one."""
        flow = Flow(self.pack.everything, STOCK)
        return flow if all(map(flow.add_piece, self.told)) else None

    def summed(
        self,
        values: tuple[int, ...],
        rows: int,
        *,
        exchanged: bool,
        among: Sequence[tuple[Place, ...]] = ROWS,
    ) -> list[Summed]:
        """Return totals of rows in a deal that fits, or with two cards `exchanged`."""
        deal = list(self.chance.choice(sorted(self.deals)))
        if exchanged:
            one, other = self.chance.sample(range(len(deal)), 2)
            deal[one], deal[other] = deal[other], deal[one]
        chosen = self.chance.sample(among, rows)
        worths = [sum(values[card] for card, at in enumerate(deal) if at in row) for row in chosen]
        return [Summed(row, values, worth, 90) for row, worth in zip(chosen, worths, strict=True)]
