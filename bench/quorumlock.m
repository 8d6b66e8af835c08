-- The quorum lock: 2 clients, 4 honest servers and a Byzantine one, a quorum of Q.
--
-- slot[c][s] is what is on its way between client c and server s, one thing at a
-- time: the try of c, or the answer to it. An answer that was taken leaves None; the
-- client counts answers, and need not remember whose: no server answers it twice.

const
  Q: 5; -- bench/run puts its own here

type
  Client: 1..2;
  Server: scalarset(4); -- the honest ones
  Phase: enum { Unstarted, Waiting, Succeeded, Failed };
  Message: enum { None, Try, Free, Locked };
  -- what the Byzantine server has done to a client; of two it says what is on its way
  Lie: enum { Silent, LieFree, LieLocked, Taken };

var
  phase: array [Client] of Phase;
  frees: array [Client] of 0..5; -- the answers of a client that waits, else 0
  lockeds: array [Client] of 0..1;
  slot: array [Client] of array [Server] of Message;
  lie: array [Client] of Lie;
  holds: array [Server] of boolean; -- whether it holds a client, and which
  holder: array [Server] of Client; -- 1 if none

procedure take(c: Client; isFree: boolean);
begin
  if phase[c] = Waiting then
    if isFree then
      frees[c] := frees[c] + 1;
    elsif lockeds[c] = 1 then
      phase[c] := Failed;
    else
      lockeds[c] := 1;
    end;
    if phase[c] = Waiting & frees[c] + lockeds[c] = Q then
      assert forall d: Client do phase[d] != Succeeded end;
      phase[c] := Succeeded;
    end;
    if phase[c] != Waiting then
      frees[c] := 0;
      lockeds[c] := 0;
    end;
  end;
end;

startstate
begin
  for c: Client do
    phase[c] := Unstarted;
    frees[c] := 0;
    lockeds[c] := 0;
    lie[c] := Silent;
    for s: Server do
      slot[c][s] := None;
    end;
  end;
  for s: Server do
    holds[s] := false;
    holder[s] := 1;
  end;
end;

ruleset c: Client do

  rule "starts"
    phase[c] = Unstarted
  ==>
  begin
    phase[c] := Waiting;
    for s: Server do
      slot[c][s] := Try;
    end;
  end;

  -- What is on its way between c and the honest server s arrives.
  ruleset s: Server do
    rule "arrives"
      slot[c][s] != None
    ==>
    begin
      if slot[c][s] = Try then
        if holds[s] then
          slot[c][s] := Locked;
        else
          holds[s] := true;
          holder[s] := c;
          slot[c][s] := Free;
        end;
      else
        take(c, slot[c][s] = Free);
        slot[c][s] := None;
      end;
    end;
  end;

  rule "lies free"
    lie[c] = Silent
  ==>
  begin
    lie[c] := LieFree;
  end;

  rule "lies locked"
    lie[c] = Silent
  ==>
  begin
    lie[c] := LieLocked;
  end;

  -- What the Byzantine server sent arrives at a client that has started.
  rule "lie arrives"
    (lie[c] = LieFree | lie[c] = LieLocked) & phase[c] != Unstarted
  ==>
  begin
    take(c, lie[c] = LieFree);
    lie[c] := Taken;
  end;
end;
