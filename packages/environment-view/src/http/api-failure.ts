import { createStatus, parseStatus } from "@binnacle/kube";

import { KubeClientError } from "../kube-client.ts";
import type { KubeResponse } from "./kube-transport.ts";

/** Much more than a Status has to say; a proxy may answer with a page. */
const MOST_MESSAGE_CHARS = 500;

/** What an answer with a status from 400 on says: failure `api`, with the Status and Retry-After (seconds) when there are any. Reads the body. */
export async function apiFailureOf(response: KubeResponse): Promise<KubeClientError> {
  const text = await response.text().catch(() => "");
  const said = parseStatus(parseJson(text)) ?? createStatus(response.status, text.slice(0, MOST_MESSAGE_CHARS));
  // The line of the answer decides, not the code in its body.
  const status = { ...said, code: response.status };
  const retryAfter = response.header("retry-after");
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  return new KubeClientError("api", status.message, { status, retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined });
}

/** The text as JSON, `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
