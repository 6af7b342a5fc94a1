import type { ClientHttp2Session } from "node:http2";

import { Fault } from "@binnacle/rpc";

/** One stream's place on a session. */
export interface PeerLease {
  readonly session: ClientHttp2Session;
  /** The stream has ended; only the first time counts. */
  release(): void;
}

interface OpenSession {
  readonly session: ClientHttp2Session;
  streams: number;
}

/** Another session is opened when this part of the streams a peer allows is in use. */
const CROWDED = 0.8;
const MAX_SESSIONS = 16;
/** A peer that closes each session as soon as it is open is not dialled for ever. */
const MAX_TRIES = 2;

/**
 * The sessions to one address. Another one is opened before the streams of all others run out: Node queues a stream beyond the peer's
 * limit without a word, behind calls that may last for hours.
 */
export class PeerSessions {
  readonly #dial: () => Promise<ClientHttp2Session>;
  readonly #open = new Set<OpenSession>();
  #dialling: Promise<void> | undefined;

  /** @param dial opens a session; the caller of `lease` sees how it failed */
  constructor(dial: () => Promise<ClientHttp2Session>) {
    this.#dial = dial;
  }

  /** A place on the emptiest session, which may be a new one. @throws what `dial` throws, when there is no session at all */
  async lease(tries = MAX_TRIES): Promise<PeerLease> {
    const session = this.#emptiest();
    if (!session || isCrowded(session)) {
      const more = this.#openAnother();
      if (!session || session.streams >= limitOf(session)) await more.catch((error: unknown) => this.#open.size > 0 || raise(error));
    }
    const chosen = this.#emptiest();
    if (chosen) return this.#take(chosen);
    if (tries <= 1) throw new Fault("peer_unreachable", "it closes its connections at once");
    return this.lease(tries - 1);
  }

  /** Nothing is open or about to be. */
  get unused(): boolean {
    return this.#open.size === 0 && this.#dialling === undefined;
  }

  /** Sessions, streams on them, and streams that wait for the peer to allow them. */
  counts(): { readonly sessions: number; readonly open: number; readonly queued: number } {
    const counts = { sessions: this.#open.size, open: 0, queued: 0 };
    for (const session of this.#open) {
      const queued = Math.max(0, session.streams - limitOf(session));
      counts.open += session.streams - queued;
      counts.queued += queued;
    }
    return counts;
  }

  #openAnother(): Promise<void> {
    if (this.#open.size >= MAX_SESSIONS) return Promise.resolve();
    const dialling = (this.#dialling ??= this.#add().finally(() => (this.#dialling = undefined)));
    // There may be no caller that awaits it.
    dialling.catch(() => undefined);
    return dialling;
  }

  async #add(): Promise<void> {
    const opened: OpenSession = { session: await this.#dial(), streams: 0 };
    this.#open.add(opened);
    // A session that received GOAWAY finishes its calls and takes no new ones.
    const forget = (): void => void this.#open.delete(opened);
    opened.session.once("goaway", forget).once("close", forget);
  }

  #emptiest(): OpenSession | undefined {
    let best: OpenSession | undefined;
    for (const each of this.#open) {
      if (each.session.closed || each.session.destroyed) this.#open.delete(each);
      else if (!best || each.streams < best.streams) best = each;
    }
    return best;
  }

  #take(session: OpenSession): PeerLease {
    session.streams += 1;
    let taken = true;
    return {
      session: session.session,
      release: () => {
        if (!taken) return;
        taken = false;
        session.streams -= 1;
        if (session.streams === 0) this.#closeSpare();
      },
    };
  }

  /** After a rush: closes what is empty when the rest carries everything with room to spare. */
  #closeSpare(): void {
    const busy = [...this.#open].filter((each) => each.streams > 0);
    if (busy.some((each) => each.streams > (limitOf(each) * CROWDED) / 2)) return;
    const empty = [...this.#open].filter((each) => each.streams === 0);
    for (const each of busy.length > 0 ? empty : empty.slice(1)) {
      this.#open.delete(each);
      each.session.close();
    }
  }
}

function limitOf({ session }: OpenSession): number {
  return session.remoteSettings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY;
}

function isCrowded(session: OpenSession): boolean {
  return session.streams >= limitOf(session) * CROWDED;
}

function raise(error: unknown): never {
  throw error;
}
