import { createStatus, InvalidPathError } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { KubeClientError } from "../base/kube-client.ts";

/**
 * What `path` returns, or an error as the API server would return it: no request is sent with a name that could lead elsewhere.
 *
 * @throws KubeClientError `api` with 400, not started
 */
export function pathOf<T>(path: () => T): T {
  try {
    return path();
  } catch (error) {
    if (!(error instanceof InvalidPathError)) throw error;
    throw new KubeClientError("api", words("request/no-name"), {
      status: createStatus(400, error.message),
      stage: "not_started",
      cause: error,
    });
  }
}
