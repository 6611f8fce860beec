-- Where entries stood in the feed they were exported from, until the import that brings them has
-- ended: then they stand there again, if they are all there and nothing else is.
CREATE TABLE carnet.feed_given (
    club_id  uuid    NOT NULL,
    game_id  uuid    NOT NULL,
    position bigint  NOT NULL CHECK (position > 0),
    version  integer NOT NULL CHECK (version > 0),
    PRIMARY KEY (club_id, position)
);
