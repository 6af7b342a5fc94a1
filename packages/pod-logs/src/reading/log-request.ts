import { apiFailureOf, KubeClientError, type KubeResponse } from "@binnacle/environment-view/transport";
import { InvalidPathError, objectPath } from "@binnacle/kube";
import { words } from "@binnacle/words";

import type { LogsReader } from "../logs-query.ts";
import { secondText } from "../lines/log-time.ts";
import { PODS } from "../pods/follow-pods.ts";

/** A container by name. */
export interface ContainerName {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Query of `pods/log`, as PodLogOptions; timestamps always. */
export interface LogRequest {
  readonly previous: boolean;
  readonly follow: boolean;
  /** Read to the second. */
  readonly sinceNanos: bigint | undefined;
  readonly tailLines: number | undefined;
}

/** Requests a log as text. @throws KubeClientError also for a status of 400 or more */
export async function requestLog(
  { namespace, pod, container }: ContainerName,
  { previous, follow, sinceNanos, tailLines }: LogRequest,
  { transport, clock, signal }: Pick<LogsReader, "transport" | "clock"> & { readonly signal: AbortSignal },
): Promise<KubeResponse> {
  const query = new URLSearchParams({ container, timestamps: "true" });
  if (follow) query.set("follow", "true");
  if (previous) query.set("previous", "true");
  if (sinceNanos !== undefined) query.set("sinceTime", secondText(sinceNanos));
  if (tailLines !== undefined) query.set("tailLines", String(tailLines));
  const path = `${logPath(namespace, pod)}?${query.toString()}`;
  const response = await transport.request({ method: "GET", path, accept: "*/*" }, signal);
  if (response.status >= 400) throw await apiFailureOf(response, { clock });
  return response;
}

function logPath(namespace: string, name: string): string {
  try {
    return objectPath(PODS, { namespace, name }, "log");
  } catch (error) {
    if (!(error instanceof InvalidPathError)) throw error;
    throw new KubeClientError("connection", words("request/no-name"), { stage: "not_started", cause: error });
  }
}
