import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";

/** One GET at a Kubernetes proxy. */
export interface ProxyQuestion {
  /** "host:port" */
  readonly address: string;
  /** PEM text of the authority to trust; absent: without TLS. */
  readonly ca: string | undefined;
  readonly path: string;
  readonly authorization: string;
  readonly limitMs: number;
}

/** Asks on a connection of its own. @throws when it breaks, or is not answered whole in time */
export async function askProxy({ address, ca, path, authorization, limitMs }: ProxyQuestion) {
  const [host, port] = address.split(":");
  const options = { host, port, path, headers: { authorization }, agent: false, signal: AbortSignal.timeout(limitMs) };
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = ca === undefined ? httpRequest(options) : httpsRequest({ ...options, ca });
    sent.on("error", reject);
    sent.on("response", (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject);
    });
    sent.end();
  });
}
