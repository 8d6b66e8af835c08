-- Ricart-Agrawala, three processes, K entries each: impl/ricartagrawala, untimed.
--
-- A message needs no queue: between i and j there is at most one thing at a time
-- that is about i's request. ask[i][j] says which: the request on its way, j's
-- memory that it deferred it, or the OK on its way back. The time that the request
-- carries is that of i's request, which lasts until it leaves. An OK that was taken
-- leaves None, so ask counts the replies, too.

const
  K: 6; -- bench/run puts its own here

type
  Process: 1..3;
  Clock: 0..3*K;
  -- Idle: the next invocation is pending, while entries are left; Waiting: for OKs;
  -- Granted: the return is pending; Inside: the release is.
  Phase: enum { Idle, Waiting, Granted, Inside };
  About: enum { None, Request, Deferred, Reply };

var
  clock: array [Process] of Clock;
  request: array [Process] of Clock;
  phase: array [Process] of Phase;
  left: array [Process] of 0..K;
  ask: array [Process] of array [Process] of About; -- ask[i][i] stays None

startstate
begin
  for i: Process do
    clock[i] := 0;
    request[i] := 0;
    phase[i] := Idle;
    left[i] := K;
    for j: Process do
      ask[i][j] := None;
    end;
  end;
end;

ruleset i: Process do

  -- The next event of i itself.
  rule "own"
    phase[i] != Waiting & (phase[i] != Idle | left[i] > 0)
  ==>
  begin
    if phase[i] = Idle then
      left[i] := left[i] - 1;
      clock[i] := clock[i] + 1;
      request[i] := clock[i];
      phase[i] := Waiting;
      for j: Process do
        if j != i then
          ask[i][j] := Request;
        end;
      end;
    elsif phase[i] = Granted then
      assert forall j: Process do phase[j] != Inside end;
      phase[i] := Inside;
    else
      request[i] := 0;
      phase[i] := Idle;
      for j: Process do
        if ask[j][i] = Deferred then
          ask[j][i] := Reply;
        end;
      end;
    end;
  end;

  -- What is on its way about i's request to j arrives.
  ruleset j: Process do
    rule "arrives"
      i != j & (ask[i][j] = Request | ask[i][j] = Reply)
    ==>
    begin
      if ask[i][j] = Request then
        if clock[j] < request[i] then
          clock[j] := request[i];
        end;
        if request[j] != 0 & (request[j] < request[i] | request[j] = request[i] & j < i) then
          ask[i][j] := Deferred;
        else
          ask[i][j] := Reply;
        end;
      else
        ask[i][j] := None;
        if forall k: Process do ask[i][k] = None end then
          phase[i] := Granted;
        end;
      end;
    end;
  end;
end;
