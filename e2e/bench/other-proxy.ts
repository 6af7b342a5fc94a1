import { setTimeout as sleep } from "node:timers/promises";

import { loadSmall, type LoadTarget } from "./load-client.ts";

const LONGEST_MS = 60_000;
const RETRY_MS = 500;

/** Another Kubernetes proxy, to be measured beside ours. */
export interface OtherProxy {
  /** Where its Kubernetes API begins. */
  readonly url: URL;
  /** Bearer token; empty for none. */
  readonly token: string;
  /** Port on loopback of the stand-in for the Kubernetes API that it must have as its cluster. */
  readonly apiPort: number;
}

/** Reads the flags; `undefined` without `--target`. @throws Error when a flag is missing or wrong */
export function otherProxyOf(flags: {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly apiPort: string | undefined;
}): OtherProxy | undefined {
  const { url, token = "", apiPort } = flags;
  if (url === undefined) return undefined;
  if (!URL.canParse(url)) throw new Error("--target is no URL: give the address where the Kubernetes API of the other proxy begins");
  const port = Number(apiPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error("--target needs --api-port: the port of 127.0.0.1 that the other proxy has as its cluster");
  return { url: new URL(url), token, apiPort: port };
}

/** Where its small answer is. */
export function smallOf({ url, token }: OtherProxy): LoadTarget {
  return {
    origin: url.origin,
    path: `${url.pathname.replace(/\/$/, "")}/small`,
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
  };
}

/** Waits until it gives the small answer of the stand-in. @throws its last error after a minute */
export async function waitForOtherProxy(proxy: OtherProxy): Promise<void> {
  const endMs = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      await loadSmall(smallOf(proxy), { concurrency: 1, seconds: 0, bytes: 4096 });
      return;
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await sleep(RETRY_MS);
    }
  }
}
