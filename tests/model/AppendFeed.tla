----------------------------- MODULE AppendFeed -----------------------------
(* Append, sequencer and takeover, as service/store and service/feed do them.          *)
(*                                                                                     *)
(* A command is appended under its game's lock: seen, checked, written, committed and  *)
(* only then acknowledged. A sequencer gives committed entries their positions under   *)
(* the feed's lock, and any of them may do it. Any process may die between two steps:  *)
(* what it had not committed is gone, and its locks are free. A command that was not   *)
(* acknowledged is sent again as it was. A follower reads on from its last position.   *)
(*                                                                                     *)
(* Fault plants one error: "none", "no game lock", "no feed lock", "early position",   *)
(* "early ack". With "none" every invariant holds; with any other one of them fails.   *)
(* tests/model/append_feed.py is the same machine, step by step, and explores all of   *)
(* it in the project's own tests; this one is for TLC:                                 *)
(*     java -jar tla2tools.jar -config AppendFeed.cfg AppendFeed.tla                   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Commands,     \* what is to be stored, each by a writer of its own
          Sequencers,
          CrashesMax,
          Fault
\* The game that a command is of: the first two are of one.
GameOf(c) == IF c = 3 THEN 2 ELSE 1

VARIABLES pc,           \* of each command: where its writer is
          expected,     \* of each command: the version that its sender saw
          early,        \* of each command: the position it took before its commit, 0: none
          log,          \* committed entries in the order of their commits: <<command, version>>
          acked,        \* commands whose senders were told that they are stored
          spc,          \* of each sequencer: "idle" or "read"
          snapshot,     \* of each sequencer: what it found without a position
          feed,         \* committed positions: {<<position, command>>}
          given,        \* the last position that was given to anybody
          seen,         \* what the follower was told, and how far it is
          place,
          crashes

vars == <<pc, expected, early, log, acked, spc, snapshot, feed, given, seen, place, crashes>>

Games == {GameOf(c) : c \in Commands}
Entries == {log[i] : i \in DOMAIN log}
Stored(c) == \E e \in Entries : e[1] = c
Version(g) == Cardinality({i \in DOMAIN log : GameOf(log[i][1]) = g})
Holding == {"check", "write", "commit"}
GameFree(g) == Fault = "no game lock"
            \/ \A c \in Commands : GameOf(c) = g => pc[c] \notin Holding
FeedFree == Fault = "no feed lock" \/ \A s \in Sequencers : spc[s] = "idle"
Placed == {f[2] : f \in feed}
Unplaced == SelectSeq(log, LAMBDA e : e[1] \notin Placed)

Init == /\ pc = [c \in Commands |-> "see"]
        /\ expected = [c \in Commands |-> 0]
        /\ early = [c \in Commands |-> 0]
        /\ log = <<>> /\ acked = {} /\ feed = {} /\ given = 0
        /\ spc = [s \in Sequencers |-> "idle"]
        /\ snapshot = [s \in Sequencers |-> <<>>]
        /\ seen = <<>> /\ place = 0 /\ crashes = 0

See(c) == /\ pc[c] = "see"
          /\ expected' = [expected EXCEPT ![c] = Version(GameOf(c))]
          /\ pc' = [pc EXCEPT ![c] = "begin"]
          /\ UNCHANGED <<early, log, acked, spc, snapshot, feed, given, seen, place, crashes>>

Begin(c) == /\ pc[c] = "begin" /\ GameFree(GameOf(c))
            /\ pc' = [pc EXCEPT ![c] = "check"]
            /\ UNCHANGED <<expected, early, log, acked, spc, snapshot, feed, given, seen, place, crashes>>

Check(c) == /\ pc[c] = "check"
            /\ pc' = [pc EXCEPT ![c] = IF Stored(c) THEN "ack"
                                       ELSE IF Version(GameOf(c)) # expected[c] THEN "see"
                                       ELSE "write"]
            /\ UNCHANGED <<expected, early, log, acked, spc, snapshot, feed, given, seen, place, crashes>>

Write(c) == /\ pc[c] = "write"
            /\ pc' = [pc EXCEPT ![c] = "commit"]
            /\ IF Fault = "early position"
               THEN early' = [early EXCEPT ![c] = given + 1] /\ given' = given + 1
               ELSE UNCHANGED <<early, given>>
            /\ acked' = IF Fault = "early ack" THEN acked \cup {c} ELSE acked
            /\ UNCHANGED <<expected, log, spc, snapshot, feed, seen, place, crashes>>

Commit(c) == /\ pc[c] = "commit"
             /\ pc' = [pc EXCEPT ![c] = "ack"]
             /\ log' = Append(log, <<c, expected[c] + 1>>)
             /\ feed' = IF early[c] > 0 THEN feed \cup {<<early[c], c>>} ELSE feed
             /\ UNCHANGED <<expected, early, acked, spc, snapshot, given, seen, place, crashes>>

Ack(c) == /\ pc[c] = "ack"
          /\ pc' = [pc EXCEPT ![c] = "done"]
          /\ acked' = acked \cup {c}
          /\ UNCHANGED <<expected, early, log, spc, snapshot, feed, given, seen, place, crashes>>

\* The writer dies; its sender asks for the same once more, unless it was answered.
WriterDies(c) == /\ pc[c] \in Holding \cup {"ack"} /\ crashes < CrashesMax
                 /\ crashes' = crashes + 1
                 /\ pc' = [pc EXCEPT ![c] = IF c \in acked THEN "done" ELSE "begin"]
                 /\ early' = [early EXCEPT ![c] = 0]
                 /\ UNCHANGED <<expected, log, acked, spc, snapshot, feed, given, seen, place>>

Look(s) == /\ spc[s] = "idle" /\ FeedFree /\ Unplaced # <<>> /\ Fault # "early position"
           /\ spc' = [spc EXCEPT ![s] = "read"]
           /\ snapshot' = [snapshot EXCEPT ![s] = Unplaced]
           /\ UNCHANGED <<pc, expected, early, log, acked, feed, given, seen, place, crashes>>

Extend(s) == /\ spc[s] = "read"
             /\ spc' = [spc EXCEPT ![s] = "idle"]
             /\ feed' = feed \cup {<<given + i, snapshot[s][i][1]>> : i \in DOMAIN snapshot[s]}
             /\ given' = given + Len(snapshot[s])
             /\ snapshot' = [snapshot EXCEPT ![s] = <<>>]
             /\ UNCHANGED <<pc, expected, early, log, acked, seen, place, crashes>>

SequencerDies(s) == /\ spc[s] = "read" /\ crashes < CrashesMax
                    /\ crashes' = crashes + 1
                    /\ spc' = [spc EXCEPT ![s] = "idle"]
                    /\ snapshot' = [snapshot EXCEPT ![s] = <<>>]
                    /\ UNCHANGED <<pc, expected, early, log, acked, feed, given, seen, place>>

Beyond == {f \in feed : f[1] > place}
Follow == /\ Beyond # {}
          /\ LET next == CHOOSE f \in Beyond : \A g \in Beyond : f[1] <= g[1]
             IN seen' = Append(seen, next) /\ place' = next[1]
          /\ UNCHANGED <<pc, expected, early, log, acked, spc, snapshot, feed, given, crashes>>

Next == \/ \E c \in Commands : \/ See(c) \/ Begin(c) \/ Check(c) \/ Write(c)
                               \/ Commit(c) \/ Ack(c) \/ WriterDies(c)
        \/ \E s \in Sequencers : Look(s) \/ Extend(s) \/ SequencerDies(s)
        \/ Follow

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
AcknowledgedIsStored == \A c \in acked : Stored(c)
StoredOnce == \A i, j \in DOMAIN log : log[i][1] = log[j][1] => i = j
VersionsAreTheOrder ==
    \A i \in DOMAIN log :
        log[i][2] = Cardinality({j \in 1..i : GameOf(log[j][1]) = GameOf(log[i][1])})
FeedHasNoGap == {f[1] : f \in feed} = 1..Cardinality(feed)
FeedHoldsEachOnce == \A f, g \in feed : f[2] = g[2] => f = g
FeedKeepsTheOrder ==
    \A f, g \in feed : \A i, j \in DOMAIN log :
        (log[i][1] = f[2] /\ log[j][1] = g[2] /\ GameOf(f[2]) = GameOf(g[2]) /\ i < j) => f[1] < g[1]
NobodyMisses == \A f \in feed : f[1] <= place => \E i \in DOMAIN seen : seen[i] = f
=============================================================================
