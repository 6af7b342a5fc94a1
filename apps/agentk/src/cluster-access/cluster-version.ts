import type { ClusterClient } from "./cluster-client.ts";
import { Untyped } from "./untyped.ts";

/** Version of the API server as kas reports it. */
export interface ClusterVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly platform: string;
}

const MAX_BYTES = 64 * 1024;

/** Reads `GET /version`, which everybody may. Resolves with undefined when it cannot be had before the signal aborts; never fails. */
export function readClusterVersion(client: ClusterClient, signal: AbortSignal): Promise<ClusterVersion | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let ok = false;
    const running = client.request(
      { method: "GET", target: "/version", headers: ["Accept", "application/json"], contentLength: undefined, body: undefined },
      {
        header: (statusCode) => (ok = statusCode === 200),
        data: (chunk) => {
          bytes += chunk.byteLength;
          if (bytes <= MAX_BYTES) chunks.push(chunk);
        },
        end: () => resolve(ok && bytes <= MAX_BYTES ? parseVersion(Buffer.concat(chunks).toString("utf8")) : undefined),
        error: () => resolve(undefined),
      },
    );
    const abort = (): void => {
      running.abort(new Error("given up"));
      resolve(undefined);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  });
}

function parseVersion(text: string): ClusterVersion | undefined {
  try {
    const version = new Untyped(JSON.parse(text), "version");
    const part = (key: string): string => version.get(key).text() ?? "";
    return { major: part("major"), minor: part("minor"), gitVersion: part("gitVersion"), platform: part("platform") };
  } catch {
    return undefined;
  }
}
