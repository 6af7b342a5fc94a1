import { randomBytes } from "node:crypto";

import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import type { SealedClaims, SealPurpose } from "../session/sealed-claims.ts";

/** A ticket is valid for so long after it was sealed. */
const TICKET_SECONDS = 30;
/** Used ones are known until they have expired everywhere; while so many are known none is accepted. */
const MAX_USED = 20_000;

/** A text of a ticket that names something. */
export const ticketName = z.string().min(1).max(255);

/** What every ticket has; those of a purpose have more. */
export const ticketClaims = z.object({
  jti: z.string().length(22),
  exp: z.number(),
  /** Name of the session that requested it. */
  session: z.string().length(43),
  /** Username of the viewer of that session. */
  viewer: ticketName,
  projectPath: z.string().min(1).max(1_024),
  environment: ticketName,
});

/** Claims of a ticket. */
export type TicketClaims = z.output<typeof ticketClaims>;

/** What tickets are for. */
export interface TicketPurpose<C extends TicketClaims> {
  /** Tickets of another name do not open: "terminal". */
  readonly name: string;
  readonly claims: z.ZodType<C>;
  /** Used ones that are known at a time. Default: 20,000. */
  readonly maxUsed?: number | undefined;
}

/** Opens one socket, once, within 30 s, for the session, the viewer, the purpose and the target it was sealed for. */
export class SocketTickets<C extends TicketClaims> {
  readonly #claims: z.ZodType<C>;
  readonly #tickets: SealedClaims;
  readonly #used: LRUCache<string, true>;
  readonly #notices: SealedClaims;
  readonly #clock: Clock;
  readonly #maxUsed: number;

  /** @param sealed texts that only the web processes of this configuration can read or make */
  constructor({ name, claims, maxUsed = MAX_USED }: TicketPurpose<C>, sealed: (purpose: SealPurpose) => SealedClaims, clock: Clock) {
    this.#claims = claims;
    this.#clock = clock;
    this.#maxUsed = maxUsed;
    this.#tickets = sealed({ audience: `binnacle-web-${name}`, type: `binnacle-${name}-1` });
    this.#notices = sealed({ audience: `binnacle-web-${name}-used`, type: `binnacle-${name}-used-1` });
    const ttl = 2 * TICKET_SECONDS * 1_000;
    this.#used = new LRUCache({ max: maxUsed, ttl, ttlResolution: 0, perf: { now: () => clock.now() } });
  }

  /** @throws ZodError for a target that no ticket is for: names and sizes have been checked before */
  async seal(target: Omit<C, "jti" | "exp">): Promise<string> {
    const exp = Math.floor(this.#clock.now() / 1_000) + TICKET_SECONDS;
    return this.#tickets.seal({ ...this.#claims.parse({ ...target, jti: randomBytes(16).toString("base64url"), exp }) }, exp);
  }

  /**
   * What a ticket opens, the first time that it comes from the session it is for.
   *
   * @param session name of the session that it comes from
   * @returns `undefined` for any other, whatever is wrong with it
   */
  async accept(ticket: string, session: string): Promise<C | undefined> {
    const claims = this.#claims.safeParse((await this.#tickets.open(ticket))?.payload).data;
    if (claims === undefined || claims.session !== session) return undefined;
    // Clocks of two processes may differ, a ticket lives no longer for that.
    if (claims.exp > this.#clock.now() / 1_000 + 2 * TICKET_SECONDS) return undefined;
    if (this.#used.has(claims.jti)) return undefined;
    if (this.#used.size >= this.#maxUsed) this.#used.purgeStale();
    if (this.#used.size >= this.#maxUsed) return undefined;
    this.#used.set(claims.jti, true);
    return claims;
  }

  /** That a ticket was accepted here, for the other web processes. */
  notice({ jti, exp }: Pick<TicketClaims, "jti" | "exp">): Promise<string> {
    return this.#notices.seal({ jti }, exp + TICKET_SECONDS);
  }

  /** Another process has accepted a ticket. @returns whether the text was such a notice of one of ours */
  async receiveNotice(notice: string): Promise<boolean> {
    const jti = z
      .string()
      .length(22)
      .safeParse((await this.#notices.open(notice))?.payload["jti"]).data;
    if (jti !== undefined) this.#used.set(jti, true);
    return jti !== undefined;
  }
}
