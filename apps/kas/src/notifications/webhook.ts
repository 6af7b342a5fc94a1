import { createHmac } from "node:crypto";
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

import type { Clock } from "@binnacle/rpc";
import { forbiddenAddress, privateAddress } from "@binnacle/rpc/address-rules";
import { Agent, request } from "undici";

import type { Notification } from "./notification.ts";
import type { Delivery } from "./outlet.ts";

/** Timeout of a delivery. */
const DEADLINE_MS = 10_000;
/** The body of a response is read up to this limit and discarded. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Maximum of a receiver's Retry-After. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** The receiver, and the secrets that prove the sender to it. */
export interface WebhookOptions {
  readonly url: URL;
  /** Each signs: while one takes the place of another, receivers may know either. */
  readonly secrets: readonly Buffer[];
  /** Types that are sent; absent: all. */
  readonly events?: readonly Notification["type"][];
  /** Addresses of private networks, and of this machine, are allowed: the operator has named the receiver and means it. */
  readonly allowPrivate: boolean;
  readonly clock: Clock;
}

/** A receiver over HTTP. */
export interface Webhook {
  wants(notification: Notification): boolean;
  deliver(notification: Notification, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

/**
 * Posts notifications, signed as in https://www.standardwebhooks.com (`webhook-id`, `webhook-timestamp`, `webhook-signature`). Follows no redirect,
 * and connects to no address but those that were looked at: what a name leads to is decided once for each connection (T38).
 */
export function openWebhook({ url, secrets, events, allowPrivate, clock }: WebhookOptions): Webhook {
  const refused = allowPrivate ? forbiddenUnlessOwn : privateAddress;
  const dispatcher = new Agent({ connections: 1, connect: { lookup: checkedLookup(refused), timeout: DEADLINE_MS } });
  // A name that is an address is never looked up.
  const literal = url.hostname.replaceAll(/^\[|\]$/g, "");
  const why = isIP(literal) === 0 ? undefined : refused(literal);
  return {
    wants: ({ type }) => events === undefined || events.includes(type),
    async deliver(notification, signal) {
      if (why !== undefined) return { kind: "refused", why: `the address of the receiver is ${why}` };
      const body = JSON.stringify(notification);
      const timestamp = Math.floor(clock.now() / 1_000);
      const headers = {
        "content-type": "application/json",
        "user-agent": "binnacle-kas",
        "webhook-id": notification.id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatures({ id: notification.id, timestamp, body }, secrets),
      };
      const late = AbortSignal.timeout(DEADLINE_MS);
      try {
        const answer = await request(url, { method: "POST", body, headers, dispatcher, signal: AbortSignal.any([signal, late]) });
        answer.body.on("error", () => undefined);
        await answer.body.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined);
        return verdictOf(answer.statusCode, answer.headers["retry-after"]);
      } catch (error) {
        return { kind: "failed", why: late.aborted ? "the receiver has not answered in time" : reasonOf(error) };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** One signature for each secret. @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function signatures(
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
  secrets: readonly Buffer[],
): string {
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`).join(" ");
}

function verdictOf(statusCode: number, retryAfter: string | string[] | undefined): Delivery {
  if (statusCode >= 200 && statusCode < 300) return { kind: "delivered" };
  const why = `the receiver answered ${statusCode}`;
  if (statusCode === 410) return { kind: "gone", why };
  if (statusCode >= 300 && statusCode < 400) return { kind: "refused", why: `${why}, and redirects are not followed` };
  const seconds = Number(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter);
  const patience = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) } : {};
  return { kind: "failed", why, ...patience };
}

/** What a name leads to, when all of it may be connected to: the connection goes to what was looked at. */
function checkedLookup(refused: (address: string) => string | undefined): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "");
      for (const { address } of addresses) {
        const why = refused(address);
        if (why !== undefined) return callback(new Error(`${hostname} leads to an address that is ${why}`), "");
      }
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`${hostname} leads nowhere`), "");
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/** Where private networks are allowed: this machine too, but neither metadata nor unassigned addresses. */
function forbiddenUnlessOwn(address: string): string | undefined {
  if (address === "::1") return undefined;
  const why = forbiddenAddress(address);
  return why === "loopback" ? undefined : why;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the receiver cannot be reached";
  return error.cause instanceof Error ? error.cause.message : error.message;
}
