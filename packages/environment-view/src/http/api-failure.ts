import { createStatus, parseJson, parseStatus } from "@binnacle/kube";

import { KubeClientError } from "../base/kube-client.ts";
import type { KubeResponse } from "./kube-transport.ts";
import { readText, type BodyLimits } from "./read-body.ts";

/** Much more than a Status has to say; a proxy may answer with a page. */
const MAX_MESSAGE_CHARS = 500;
const MAX_STATUS_BYTES = 1024 * 1024;

/**
 * What an answer with a status from 400 on says: failure `api`, with the Status and Retry-After (seconds) when there are any. Reads
 * the body, up to 1 MiB: of one that is longer only the line of the answer counts.
 */
export async function apiFailureOf(response: KubeResponse, limits: Omit<BodyLimits, "mostBytes"> = {}): Promise<KubeClientError> {
  const text = await readText(response, { ...limits, mostBytes: MAX_STATUS_BYTES }).catch(() => "");
  const parsed = parseStatus(parseJson(text)) ?? createStatus(response.status, text);
  // The line of the answer decides, not the code in its body.
  const status = { ...parsed, code: response.status, message: parsed.message.slice(0, MAX_MESSAGE_CHARS) };
  const retryAfter = response.header("retry-after");
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  return new KubeClientError("api", status.message, { status, retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined });
}
