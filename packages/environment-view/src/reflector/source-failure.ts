import { causeOf, fieldsOf, numberAt } from "@binnacle/kube";

import { KubeClientError } from "../base/kube-client.ts";

/** Answers to a streamed list that say nothing of the list in pages: not known there, not acceptable, or no right to watch. */
export const STREAM_REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 415, 422, 501]);

/** A server may ask for patience, but not for ever. */
const MOST_RETRY_MS = 300_000;

/** The agent carries no more watches. */
export function isWithoutWatch(error: unknown): error is KubeClientError {
  return error instanceof KubeClientError && error.failure === "no_watch";
}

/** More came than is read. */
export function isTooLarge(error: unknown): error is KubeClientError {
  return error instanceof KubeClientError && error.failure === "too_large";
}

/** The resourceVersion that was asked for is newer than all that the API server has: it is behind, or its history has gone back. */
export function isAheadOfServer(error: unknown): boolean {
  if (!(error instanceof KubeClientError) || error.failure !== "api" || error.status?.code !== 504) return false;
  return causeOf(error.status) === "ResourceVersionTooLarge" || /too large resource version/i.test(error.message);
}

/** When the server wants to be asked again, by its header or by its Status; 0 where it says nothing. */
export function retryAfterMsOf(error: unknown): number {
  if (!(error instanceof KubeClientError)) return 0;
  const seconds = error.retryAfterSeconds ?? numberAt(fieldsOf(error.status?.details), "retryAfterSeconds") ?? 0;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1_000), MOST_RETRY_MS) : 0;
}
