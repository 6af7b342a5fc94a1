import type { IncomingHttpHeaders } from "node:http2";

/** Metadata in which our agentk says how many tunnels it opens at most. */
const MAXIMUM_HEADER = "agentk-max-tunnels";
/** What our agentk opens at most unless it says otherwise. */
const DEFAULT_MAXIMUM = 500;

/** How many tunnels the replica behind these headers opens at most; `undefined` for an agent without our capabilities: it has ten. */
export function poolMaximumOf(headers: IncomingHttpHeaders): number | undefined {
  if (typeof headers["agentk-caps"] !== "string") return undefined;
  const said = headers[MAXIMUM_HEADER];
  return typeof said === "string" && /^[1-9]\d{0,4}$/.test(said) ? Number(said) : DEFAULT_MAXIMUM;
}
