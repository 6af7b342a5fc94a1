import { randomBytes } from "node:crypto";

import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "../../limits/at-most.ts";

const LIFETIME_MS = 60_000;
const MAX_TICKETS = 10_000;

/**
 * Tokens that open one WebSocket each: a browser cannot give a WebSocket headers, so it asks for a ticket with them first. A ticket
 * is good once, for a minute, and only for the caller it was given to (threat T9).
 */
export class WatchTickets<C> {
  readonly #clock: Clock;
  /** The oldest goes first when there are too many: a ticket is never read without being used up. */
  readonly #tickets = new LRUCache<string, { readonly caller: C; readonly expiresAtMs: number }>(atMost(MAX_TICKETS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns a token that may stand in a sub-protocol: letters, digits, "-" and "_" */
  issue(caller: C): string {
    this.#forgetOld();
    const token = randomBytes(32).toString("base64url");
    this.#tickets.set(token, { caller, expiresAtMs: this.#clock.now() + LIFETIME_MS });
    return token;
  }

  /** @returns whose ticket it was; undefined for one that is unknown, used or too old */
  redeem(token: string): C | undefined {
    const ticket = this.#tickets.get(token);
    this.#tickets.delete(token);
    return ticket !== undefined && ticket.expiresAtMs > this.#clock.now() ? ticket.caller : undefined;
  }

  /** All live equally long: credentials behind tickets that nobody redeemed do not stay. */
  #forgetOld(): void {
    const now = this.#clock.now();
    const oldest = () => this.#tickets.rvalues().next().value;
    for (let ticket = oldest(); ticket !== undefined && ticket.expiresAtMs <= now; ticket = oldest()) this.#tickets.pop();
  }
}
