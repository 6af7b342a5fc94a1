import { lookup } from "node:dns/promises";

import { sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { discard, HttpDialer } from "../http/http-dialer.ts";

/** Where a web process hears that a session is over. */
export const ENDED_PATH = "/api/session/ended";

const ATTEMPT_MS = 5_000;
/** A process that is being restarted knows of no sign-out, but serves nothing either; one that is only slow gets three tries. */
const RETRY_MS = [1_000, 5_000, 15_000] as const;

/** What peers are notified with. */
export interface PeerNoticesOptions {
  /** Base URLs; a name stands for all its addresses. */
  readonly peers: readonly string[];
  /** PEM text of the authority of their certificates. */
  readonly caCertificate: string | undefined;
  /** Subject of the notices, for the log: "a sign-out". */
  readonly what: string;
  /** Maximum of notices that wait for peers that do not answer; more are dropped. */
  readonly mostWaiting: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Notifies the other web processes of an event of this one. No caller waits for it, and nothing fails with it. */
export class PeerNotices {
  readonly #options: PeerNoticesOptions;
  readonly #closing = new AbortController();
  #caCertificate: string | undefined;
  #waiting = 0;

  constructor(options: PeerNoticesOptions) {
    this.#options = options;
    this.#caCertificate = options.caCertificate;
  }

  /** From now on peers are held against this authority. @param caCertificate PEM text */
  trust(caCertificate: string): void {
    this.#caCertificate = caCertificate;
  }

  /** @param sealed an `EndNotice`, or one of `SocketTickets` or `ActNotices` */
  tell(sealed: string): void {
    for (const peer of this.#options.peers) void this.#tellAll(peer, sealed); // never rejects
  }

  close(): void {
    this.#closing.abort();
  }

  async #tellAll(peer: string, sealed: string): Promise<void> {
    const { log, what } = this.#options;
    const url = new URL(peer);
    try {
      const addresses = await lookup(url.hostname.replace(/^\[(.*)\]$/, "$1"), { all: true });
      for (const { address, family } of addresses) {
        const at = new URL(url);
        at.hostname = family === 6 ? `[${address}]` : address;
        void this.#tellOne(at.href, { peer, sealed }); // never rejects
      }
    } catch (error) {
      log.warn({ error, peer }, `a web process was not notified of ${what}: its name is not known`);
    }
  }

  async #tellOne(internalUrl: string, { peer, sealed }: { readonly peer: string; readonly sealed: string }): Promise<void> {
    const { clock, log, what, mostWaiting } = this.#options;
    if (this.#waiting >= mostWaiting) return log.warn({ peer }, `a web process was not notified of ${what}: too many wait`);
    this.#waiting += 1;
    const dialer = new HttpDialer({ internalUrl, externalUrl: peer, caCertificate: this.#caCertificate });
    try {
      for (const delayMs of [...RETRY_MS, undefined]) {
        const why = await this.#post(dialer, sealed);
        if (why === undefined || this.#closing.signal.aborted) return;
        if (delayMs === undefined) return log.warn({ peer, why }, `a web process was not notified of ${what}`);
        await sleep(clock, delayMs, this.#closing.signal);
      }
    } finally {
      this.#waiting -= 1;
      await dialer.close();
    }
  }

  /** @returns why it was not heard */
  async #post(dialer: HttpDialer, body: string): Promise<string | undefined> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ATTEMPT_MS)]);
    try {
      const answer = await dialer.request({ method: "POST", path: ENDED_PATH, headers: {}, body, signal });
      discard(answer);
      return answer.statusCode === 204 ? undefined : `it answers ${answer.statusCode}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
