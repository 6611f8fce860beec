from pathlib import Path

from tests.http.typed_client import generate, run_client
from tests.service_process import KEY, ServiceProcess

# Players by seat are no entry: request them for each game.
FOLLOW = """
import sys
from collections import Counter
from uuid import uuid4
from client import AuthenticatedClient
from client.api.feed import show_feed
from client.api.games import append_entries, show_game, start_game
from client.api.people import add_player, show_standings
from client.models import EntriesBody, EuchreResult, PlayerBody, StartBody

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
position, versions = 0, Counter()

def followed(limit, **asked):
    global position
    entries = show_feed.sync(client=client, after=position, limit=limit, **asked).entries
    for entry in entries:
        assert entry.position == position + 1
        position = entry.position
        assert entry.version == versions[entry.game_id] + 1
        versions[entry.game_id] = entry.version
    return entries

# What was recorded before is caught up with; by threes it would take a thousand requests.
while followed(500):
    pass

names = [f"{name} {uuid4()}" for name in "ABC"]
people = [add_player.sync(client=client, body=PlayerBody(name=name)).id for name in names]
seated = [(0, 1), (1, 2), (0, 1), (2, 0)]
games = set()
for seats, tricks in zip(seated, (3, 1, 5, 3), strict=True):
    body = StartBody(
        ruleset="euchre",
        players=[people[one] for one in seats],
        options={"target": 1},
    )
    game = start_game.sync(client=client, body=body)
    result = EuchreResult.from_dict({"type": "result", "maker": 0, "tricks": tricks, "dealer": 0})
    done = append_entries.sync(
        game.id, client=client, body=EntriesBody(entries=[result]),
        if_match=f'"{game.version}"', idempotency_key=str(uuid4()),
    )
    assert done.state.status == "finished", done
    games.add(game.id)

played, won = Counter(), Counter()
while len(played) < 3 or sum(won.values()) < len(games):
    page = followed(3, prefer="wait=20")
    assert page, "the feed ended before the games did"
    for entry in page:
        if entry.type_ == "game_ended" and entry.game_id in games:
            who = [one.id for one in show_game.sync(entry.game_id, client=client).players]
            played.update(who)
            won.update(who[seat] for seat in entry.data["ranking"][0])

told = {
    line.player.id: (line.figures.games, line.figures.wins)
    for rules in show_standings.sync(client=client).rulesets
    if rules.ruleset == "euchre"
    for line in rules.standings
    if line.player.id in people
}
assert told == {one: (played[one], won[one]) for one in people}, (told, played, won)
print(sorted(won.values()))
"""


def test_a_typed_client_makes_of_the_feed_alone_the_standings_that_the_service_tells(
    service: ServiceProcess, tmp_path: Path
) -> None:
    generate(service, tmp_path)
    followed = run_client(tmp_path, FOLLOW, service.url, KEY)
    assert followed.returncode == 0, followed.stderr
    assert followed.stdout.strip() == "[2, 2]"
