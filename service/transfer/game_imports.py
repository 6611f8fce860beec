"""Imports many games of an upload: those of a batch in one transaction."""

from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from contextlib import suppress
from uuid import UUID

from msgspec import Struct, structs

from schemas.names import normalized_name
from service.errors import CarnetError, KeyReused, NotFound, StoreUnavailable
from service.store.club.name_book import Choices
from service.store.club.players import Players
from service.store.log.known_games import KnownGames
from service.store.read_models.descriptions import Descriptions
from service.transfer.portable_records import ImportedRecord, Records, newcomer_id
from service.transfer.upload_jobs import ImportableGame
from service.transfer.uploads import Assessed, imported_game_id, seat_players

# A transaction holds the locks of its games and delays the appends of others.
GAMES_AT_ONCE = 50
ENTRIES_AT_ONCE = 1_000


class GameImport(Struct, frozen=True, kw_only=True):
    """The result of a game. `game_id` None: its players cannot be seated. `new`: it was stored."""

    game_id: UUID | None
    new: bool = False


class GameImports:
    """Imports games into one club, each command once."""

    def __init__(
        self,
        records: Records,
        players: Players,
        known: KnownGames,
        descriptions: Descriptions,
    ) -> None:
        self._records = records
        self._players = players
        self._known = known
        self._descriptions = descriptions

    async def import_games(
        self, games: AsyncIterable[ImportableGame], by: UUID | None, choices: Choices
    ) -> AsyncIterator[GameImport]:
        """Import games in order; `choices`: the person meant by a folded name, see `NameBook`.

        Raises: QuotaReached, StoreUnavailable (earlier games are stored)
        """
        async for batch in _batches(games):
            ids = [imported_game_id(game.command) for game in batch]
            existing = await self._known.existing(ids)
            missing = {
                game_id: game
                for game_id, game in zip(ids, batch, strict=True)
                if game_id not in existing
            }
            stored = await self._import([*missing.values()], by, choices) if missing else []
            results = {game_id: GameImport(game_id=game_id) for game_id in existing}
            results |= dict(zip(missing, stored, strict=True))
            await self._add_tags(batch, results)
            for game_id in ids:
                yield results[game_id]
                results[game_id] = structs.replace(results[game_id], new=False)

    async def _add_tags(
        self, games: Sequence[ImportableGame], results: Mapping[UUID, GameImport]
    ) -> None:
        """Tag the games that have no tags yet, also those of an import that was stopped."""
        for game in games:
            game_id = results[imported_game_id(game.command)].game_id
            if game_id is None or not game.tags:
                continue
            with suppress(NotFound):
                description = await self._descriptions.of_game(game_id)
                if not description.tags:
                    await self._descriptions.describe(
                        game_id, structs.replace(description, tags=game.tags)
                    )

    async def _import(
        self, games: Sequence[ImportableGame], by: UUID | None, choices: Choices
    ) -> list[GameImport]:
        try:
            return await self._together(games, by, choices)
        except StoreUnavailable:
            raise
        except CarnetError:
            # One of them cannot be stored; the others can.
            return [await self._alone(game, by, choices) for game in games]

    async def _together(
        self, games: Sequence[ImportableGame], by: UUID | None, choices: Choices
    ) -> list[GameImport]:
        names = (await self._players.names()).with_choices(choices)
        newcomers: dict[str, UUID] = {}
        seated: list[tuple[Assessed, UUID]] = []
        for game in games:
            assessed = seat_players(game.assessed, (), names)
            if assessed.outcome is not None and not assessed.unseated:
                seated.append((_with_newcomers(assessed, game.command, newcomers), game.command))
        stored = iter(await self._records.import_together(seated, by))
        known = {command for _, command in seated}
        return [
            GameImport(game_id=imported_game_id(game.command), new=next(stored))
            if game.command in known
            else GameImport(game_id=None)
            for game in games
        ]

    async def _alone(self, game: ImportableGame, by: UUID | None, choices: Choices) -> GameImport:
        assessed = await self._records.seat(game.assessed, (), choices)
        try:
            imported = await self._records.import_record(assessed, by, game.command)
        except KeyReused:
            # The game exists, but people were renamed since.
            return GameImport(game_id=imported_game_id(game.command))
        if isinstance(imported, ImportedRecord):
            return GameImport(game_id=imported.game_id, new=not imported.replayed)
        return GameImport(game_id=None)


def _with_newcomers(assessed: Assessed, command: UUID, newcomers: dict[str, UUID]) -> Assessed:
    """Seat new people of earlier games of the batch; add those of this game."""
    seated = []
    for seat, player in enumerate(assessed.seated):
        player_id = newcomer_id(imported_game_id(command), seat)
        earlier = (
            newcomers.setdefault(normalized_name(player.name or ""), player_id)
            if player.id is None
            else player_id
        )
        seated.append(player if earlier == player_id else structs.replace(player, id=earlier))
    return structs.replace(assessed, seated=tuple(seated))


async def _batches(games: AsyncIterable[ImportableGame]) -> AsyncIterator[list[ImportableGame]]:
    batch: list[ImportableGame] = []
    entries = 0
    async for game in games:
        outcome = game.assessed.outcome
        length = len(outcome.entries) if outcome else 0
        if batch and (len(batch) == GAMES_AT_ONCE or entries + length > ENTRIES_AT_ONCE):
            yield batch
            batch, entries = [], 0
        batch.append(game)
        entries += length
    if batch:
        yield batch
