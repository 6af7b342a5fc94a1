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

/** What a request to the API server is made of besides the client's headers. */
export interface RequestIdentity {
  /** The kubeconfig's own impersonation. */
  readonly own: ImpersonatedIdentity | undefined;
  /** What kas asked for. */
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
  for (const name in header) if (name.toLowerCase() === "connection") named = connectionOptions(header[name]?.value ?? [], named);
  const lines: string[] = [];
  const client: [string, string][] = [];
  let userAgent = "";
  for (const name in header) {
    const values = header[name]?.value ?? [];
    const lower = name.toLowerCase();
    if (!isHeaderName(name)) throw new Fault("invalid_request", `"${name}" is no header name`);
    if (lower === "user-agent") userAgent = values[0] ?? "";
    const impersonation = isImpersonationHeader(name);
    // `Connection: Impersonate-User` must not be able to remove an identity, so these are looked at first.
    if (!impersonation && (HOP_HEADERS.has(lower) || named?.has(lower) === true || DROPPED.has(lower.replaceAll("_", "-")))) continue;
    for (const value of values) {
      if (impersonation) client.push([name, value]);
      else if (lower === "sec-websocket-protocol") addLine(lines, name, withoutTokens(value));
      else addLine(lines, name, value);
    }
  }
  for (const [name, value] of impersonationHeaders({ ...identity, client })) addLine(lines, name, value);
  addLine(lines, "User-Agent", userAgent === "" ? PRODUCT : `${userAgent} via ${PRODUCT}`);
  return lines;
}

/** A client's token in the place of a subprotocol is a credential like `Authorization`: only the agent's own goes to the cluster (T7). */
function withoutTokens(protocols: string): string {
  const names = protocols.split(",").map((name) => name.trim());
  return names.filter((name) => !/^base64url\.bearer\.authorization\.k8s\.io/i.test(name)).join(", ");
}

function addLine(lines: string[], name: string, value: string): void {
  lines.push(name, headerValue(name, value));
}
