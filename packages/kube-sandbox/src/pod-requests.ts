import { StreamError, type ContainerTarget, type PodStreams } from "@binnacle/kubelet-stand-in";

import { ApiError, badRequest, methodNotAllowed, notFound } from "./api-error.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

const STREAMS = new Set(["exec", "attach", "portforward", "log"]);

/** True for the subresources of a pod whose bytes come from its containers. */
export function isPodStream(subresource: string): boolean {
  return STREAMS.has(subresource);
}

/**
 * `/exec`, `/attach`, `/portforward` and `/log` of a pod. The response is written here, or the connection is upgraded; nothing is returned.
 *
 * @throws ApiError as the API server would
 */
export async function answerPodStream(exchange: Exchange, of: ResourceDefinition, streams: PodStreams): Promise<Answer | undefined> {
  const { target, verb, query } = exchange;
  const container: ContainerTarget = {
    namespace: target.namespace ?? "",
    pod: target.name ?? "",
    container: query.get("container") ?? undefined,
  };
  if (verb !== "get" && (verb !== "create" || target.subresource === "log")) throw methodNotAllowed();
  try {
    if (target.subresource === "log") await streams.log(exchange.response, container, { query, signal: exchange.signal });
    else await upgraded(exchange, container, streams);
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    throw error.code === 404 ? notFound(of, container.pod) : new ApiError(error.code, error.reason, error.message);
  }
  return undefined;
}

async function upgraded(exchange: Exchange, container: ContainerTarget, streams: PodStreams): Promise<void> {
  const { upgrade, query, response, target } = exchange;
  if (upgrade === undefined) throw badRequest("Upgrade request required");
  const flag = (name: string): boolean => ["true", "1"].includes(query.get(name) ?? "");
  const options = { stdin: flag("stdin"), stdout: flag("stdout"), stderr: flag("stderr"), tty: flag("tty") };
  response.detachSocket(upgrade.request.socket);
  try {
    if (target.subresource === "exec") await streams.exec(upgrade, container, { ...options, command: query.getAll("command") });
    else if (target.subresource === "attach") await streams.attach(upgrade, container, options);
    else await streams.portForward(upgrade, container, query.getAll("ports"));
    response.statusCode = 101;
  } catch (error) {
    // Rejected before the upgrade: an ordinary response follows.
    if (error instanceof StreamError && !upgrade.socket.destroyed) response.assignSocket(upgrade.request.socket);
    else upgrade.socket.destroy();
    throw error;
  }
}
