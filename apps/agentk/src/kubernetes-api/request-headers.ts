import { HOP_HEADERS } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

import { PRODUCT } from "../base/build-info.ts";
import { connectionOptions, isHeaderName } from "./header-names.ts";
import type { ValuesByName } from "./http-request.ts";
import { headerValue } from "../cluster-access/header-value.ts";
import { impersonationHeaders, isImpersonationHeader, type ImpersonatedIdentity } from "../cluster-access/impersonation.ts";

/**
 * Never sent to the cluster: framing is ours, credentials are ours, and the rest belongs to kas
 * (docs/design/contract.md "Request headers", T7).
 */
const DROPPED: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "expect",
  "authorization",
  "cookie",
  "x-csrf-token",
  "gitlab-agent-id",
  "user-agent",
]);

const CONNECTION = "connection";
/** Longer names are not remembered: callers choose them. */
const MAX_NAME = 64;

/** What a request to the API server is made of besides the client's headers. */
export interface RequestIdentity {
  /** The kubeconfig's own impersonation. */
  readonly own: ImpersonatedIdentity | undefined;
  /** The identity that kas requested. */
  readonly kas: ImpersonatedIdentity | undefined;
}

/**
 * Headers for the API server as a flat list of names and values, one pair per line: the client's without those of the connection and of other hops,
 * then impersonation and User-Agent, which nothing can replace. The credential is added by the caller.
 *
 * @throws Fault `invalid_request` for an illegal name or value, or conflicting impersonation
 */
export function requestHeadersOf(header: ValuesByName, identity: RequestIdentity): string[] {
  let named: ReadonlySet<string> | undefined;
  for (const name in header)
    if (name.length === CONNECTION.length && name.toLowerCase() === CONNECTION) named = connectionOptions(header[name]?.value ?? [], named);
  const lines: string[] = [];
  const client: [string, string][] = [];
  let userAgent = "";
  for (const name in header) {
    const values = header[name]?.value ?? [];
    const { lower, kind } = factsOf(name);
    if (lower === "user-agent") userAgent = values[0] ?? "";
    // `Connection: Impersonate-User` must not be able to remove an identity, so these are looked at first.
    if (kind !== "impersonation" && (kind === "dropped" || named?.has(lower) === true)) continue;
    for (const value of values) {
      if (kind === "impersonation") client.push([name, value]);
      else if (lower === "sec-websocket-protocol") addLine(lines, name, withoutTokens(value));
      else addLine(lines, name, value);
    }
  }
  for (const [name, value] of impersonationHeaders({ ...identity, client })) addLine(lines, name, value);
  addLine(lines, "User-Agent", userAgent === "" ? PRODUCT : `${userAgent} via ${PRODUCT}`);
  return lines;
}

/** What a header is to this agent, by its name. */
interface NameFacts {
  readonly lower: string;
  readonly kind: "impersonation" | "dropped" | "passed";
}

const facts = new Map<string, NameFacts>();
/** Clients of one kas send a few dozen names; further names are examined each time. */
const MAX_FACTS = 1_000;

/** @throws Fault `invalid_request` for an illegal name */
function factsOf(name: string): NameFacts {
  const known = facts.get(name);
  if (known !== undefined) return known;
  if (!isHeaderName(name)) throw new Fault("invalid_request", `"${name}" is no header name`);
  const lower = name.toLowerCase();
  const isDropped = HOP_HEADERS.has(lower) || DROPPED.has(lower.replaceAll("_", "-"));
  const kind = isImpersonationHeader(name) ? "impersonation" : isDropped ? "dropped" : "passed";
  const found = { lower, kind } as const;
  if (facts.size < MAX_FACTS && name.length <= MAX_NAME) facts.set(name, found);
  return found;
}

/** A client's token in the place of a subprotocol is a credential like `Authorization`: only the agent's own goes to the cluster (T7). */
function withoutTokens(protocols: string): string {
  const names = protocols.split(",").map((name) => name.trim());
  return names.filter((name) => !/^base64url\.bearer\.authorization\.k8s\.io/i.test(name)).join(", ");
}

function addLine(lines: string[], name: string, value: string): void {
  lines.push(name, headerValue(name, value));
}
