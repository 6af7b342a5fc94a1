import { nextState, type StateTable } from "@binnacle/rpc";

/**
 * What a dial is doing: `tcp` connecting to kas or to its proxy · `proxy-tls` the handshake with a proxy that speaks TLS · `proxy-connect` asking
 * the proxy for a tunnel · `tls` the handshake with kas · `websocket` the upgrade · `http2` waiting for the settings of kas · `open` ready.
 */
export type DialState = "tcp" | "proxy-tls" | "proxy-connect" | "tls" | "websocket" | "http2" | "open";

/** A state in which something is waited for. */
export type DialStep = Exclude<DialState, "open">;

/** What comes next of what target and proxy need; `ready` where nothing but HTTP/2 is left. */
export type DialNeed = "proxy-tls" | "proxy-connect" | "tls" | "websocket" | "ready";

/** Every change of state of a dial that goes well; one that fails ends where it is, and its error names the step. */
export const DIAL_STATES: StateTable<DialState, DialNeed> = {
  tcp: { "proxy-tls": "proxy-tls", "proxy-connect": "proxy-connect", tls: "tls", websocket: "websocket", ready: "http2" },
  "proxy-tls": { "proxy-connect": "proxy-connect" },
  "proxy-connect": { tls: "tls", websocket: "websocket", ready: "http2" },
  tls: { websocket: "websocket", ready: "http2" },
  websocket: { ready: "http2" },
  http2: { ready: "open" },
  open: {},
};

/** What was being done, for the text of an error. */
export const STEP_NAMES: Readonly<Record<DialStep, string>> = {
  tcp: "TCP connection",
  "proxy-tls": "TLS handshake with the proxy",
  "proxy-connect": "CONNECT",
  tls: "TLS handshake",
  websocket: "WebSocket upgrade",
  http2: "HTTP/2 settings",
};

const TLS_SCHEMES: ReadonlySet<string> = new Set(["grpcs:", "wss:"]);
const WEBSOCKET_SCHEMES: ReadonlySet<string> = new Set(["ws:", "wss:"]);

/**
 * The states of a dial, first to last.
 *
 * @param scheme `grpc:`, `grpcs:`, `ws:` or `wss:`
 * @param proxy undefined for a direct connection
 */
export function dialSteps(scheme: string, proxy: { readonly secure: boolean } | undefined): readonly DialStep[] {
  const needs: DialNeed[] = [];
  if (proxy?.secure === true) needs.push("proxy-tls");
  if (proxy !== undefined) needs.push("proxy-connect");
  if (TLS_SCHEMES.has(scheme)) needs.push("tls");
  if (WEBSOCKET_SCHEMES.has(scheme)) needs.push("websocket");
  const steps: DialStep[] = ["tcp"];
  let state: DialState = "tcp";
  for (const need of [...needs, "ready", "ready"] as const) {
    state = nextState(DIAL_STATES, state, need);
    if (state !== "open") steps.push(state);
  }
  return steps;
}
