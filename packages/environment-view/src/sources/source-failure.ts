import { KubeClientError } from "../kube-client.ts";

/** The agent carries no more watches. */
export function isWithoutWatch(error: unknown): error is KubeClientError {
  return error instanceof KubeClientError && error.failure === "no_watch";
}

/** More came than is read. */
export function isTooLarge(error: unknown): error is KubeClientError {
  return error instanceof KubeClientError && error.failure === "too_large";
}
