import type { Clock } from "@binnacle/rpc";
import { z } from "zod";

import type { SealedClaims, SealPurpose } from "../session/sealed-claims.ts";
import { SocketTickets, ticketClaims, ticketName } from "../sockets/socket-tickets.ts";

/** Columns, and rows. */
export const MAX_TERMINAL_SIZE = 1_000;

const claims = ticketClaims.extend({
  namespace: ticketName,
  pod: ticketName,
  uid: ticketName,
  container: ticketName,
  /** Programs to try, in turn. */
  shells: z.array(ticketName).min(1).max(4),
  columns: z.number().int().min(1).max(MAX_TERMINAL_SIZE),
  rows: z.number().int().min(1).max(MAX_TERMINAL_SIZE),
});

/** The terminal that a ticket opens, its session and its viewer. */
export type TerminalClaims = z.output<typeof claims>;

/** Opens one terminal, once, within 30 s, for the session, the viewer and the container it was sealed for. */
export class TerminalTickets extends SocketTickets<TerminalClaims> {
  /**
   * @param sealed texts that only the web processes of this configuration can read or make
   * @param maxUsed used tickets that are known; a test passes a small number
   */
  constructor(sealed: (purpose: SealPurpose) => SealedClaims, clock: Clock, maxUsed?: number) {
    super({ name: "terminal", claims, maxUsed }, sealed, clock);
  }
}
