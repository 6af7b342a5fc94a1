import { EventEmitter } from "node:events";
import type { ClientHttp2Session } from "node:http2";

import { expect, test } from "vitest";

import { PeerSessions, type PeerLease } from "./peer-sessions.ts";

class FakeSession extends EventEmitter {
  readonly remoteSettings: { maxConcurrentStreams?: number };
  closed = false;
  destroyed = false;

  constructor(maxConcurrentStreams: number | undefined) {
    super();
    this.remoteSettings = maxConcurrentStreams === undefined ? {} : { maxConcurrentStreams };
  }

  close(): void {
    this.closed = true;
    this.emit("close");
  }
}

function peerOf(limit: number | undefined, dial?: () => Promise<void>): { peer: PeerSessions; dialled: FakeSession[] } {
  const dialled: FakeSession[] = [];
  const peer = new PeerSessions(async () => {
    await dial?.();
    const session = new FakeSession(limit);
    dialled.push(session);
    // PeerSessions uses nothing of a session that the fake does not have.
    return session as unknown as ClientHttp2Session;
  });
  return { peer, dialled };
}

async function leases(peer: PeerSessions, count: number): Promise<PeerLease[]> {
  const taken: PeerLease[] = [];
  for (let index = 0; index < count; index += 1) taken.push(await peer.lease());
  return taken;
}

test("KB5: another session is opened before the streams of the first run out", async () => {
  const { peer, dialled } = peerOf(10);
  await leases(peer, 8);
  expect(dialled).toHaveLength(1);
  await leases(peer, 2);
  expect(dialled).toHaveLength(2);
  await leases(peer, 20);
  expect(peer.counts()).toEqual({ sessions: dialled.length, open: 30, queued: 0 });
});

test("KB5: a hundred callers that come at once dial once", async () => {
  const { peer, dialled } = peerOf(1_000);
  await Promise.all(Array.from({ length: 100 }, () => peer.lease()));
  expect(dialled).toHaveLength(1);
  expect(peer.counts()).toEqual({ sessions: 1, open: 100, queued: 0 });
});

test("KB5: a peer that allows no stream at all costs sixteen sessions at most, and what waits is counted", async () => {
  const { peer, dialled } = peerOf(0);
  await leases(peer, 100);
  expect(dialled).toHaveLength(16);
  expect(peer.counts()).toEqual({ sessions: 16, open: 0, queued: 100 });
});

test("KB5: a second session that cannot be opened does not fail callers the first can still carry, even late", async () => {
  let dials = 0;
  const { peer } = peerOf(10, async () => {
    dials += 1;
    if (dials > 1) throw new Error("refused");
  });
  await leases(peer, 15);
  expect(peer.counts()).toEqual({ sessions: 1, open: 10, queued: 5 });
});

test("KB5: without any session the caller learns why", async () => {
  const { peer } = peerOf(10, async () => {
    throw new Error("refused");
  });
  await expect(peer.lease()).rejects.toThrow("refused");
  expect(peer.unused).toBe(true);
});

test("KB5: a peer that closes each session as soon as it is open is not dialled for ever", async () => {
  let dials = 0;
  const peer = new PeerSessions(async () => {
    dials += 1;
    const session = new FakeSession(10);
    session.closed = true;
    return session as unknown as ClientHttp2Session; // as above
  });
  await expect(peer.lease()).rejects.toMatchObject({ reason: "peer_unreachable" });
  expect(dials).toBe(2);
});

test("KB5: a session that is sent away gets nothing new", async () => {
  const { peer, dialled } = peerOf(10);
  await peer.lease();
  dialled[0]?.emit("goaway");
  await peer.lease();
  expect(dialled).toHaveLength(2);
});

test("KB5: after the rush spare sessions are closed and the last one is kept; all counts return to zero", async () => {
  const { peer, dialled } = peerOf(10);
  for (const lease of await leases(peer, 30)) {
    lease.release();
    lease.release();
  }
  expect(peer.counts()).toMatchObject({ open: 0, queued: 0 });
  expect(dialled.filter((session) => !session.closed)).toHaveLength(1);
});
