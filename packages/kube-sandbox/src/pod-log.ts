import type { Clock } from "@binnacle/rpc";

import { badRequest, notFound } from "./api-error.ts";
import { timestampOf, type ApiObject } from "./api-object.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { listIn, textIn } from "./json-tree.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import type { Store } from "./store.ts";

const FOLLOW_MS = 1_000;

/**
 * `/log` of a pod: a few lines since its start; with `follow` one more each second until the pod or the client is gone
 * (then the answer is written here and nothing is returned).
 *
 * @throws ApiError 400 for a container that is unknown or has not started, 404
 */
export async function answerLog(
  exchange: Exchange,
  of: ResourceDefinition,
  parts: { readonly store: Store; readonly clock: Clock },
): Promise<Answer | undefined> {
  const { target, query, response, signal } = exchange;
  const find = (): ApiObject | undefined => parts.store.get(of.storage, target.namespace, target.name ?? "");
  const pod = find();
  if (!pod) throw notFound(of, target.name ?? "");
  const container = containerOf(pod, query.get("container"));
  refuseWaiting(pod, container);
  const stamped = query.get("timestamps") === "true";
  const started = Date.parse(textIn(pod, "status", "startTime") ?? pod.metadata.creationTimestamp);
  const line = (at: number, text: string): string => `${stamped ? `${timestampOf(at)} ` : ""}${text}\n`;
  const said =
    query.get("previous") === "true"
      ? ["last words of the previous container"]
      : [`${container}: starting`, `${container}: hello from a simulated container`, `${container}: ready`];
  const tail = query.has("tailLines") ? Number(query.get("tailLines")) : said.length;
  const text = (tail === 0 ? [] : said.slice(-tail)).map((one, index) => line(started + index * 1_000, one)).join("");
  if (query.get("follow") !== "true") return { code: 200, body: text, contentType: "text/plain" };
  response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-cache, private" });
  response.flushHeaders();
  response.write(text);
  await new Promise<void>((resolve) => {
    let cancel: () => void = () => undefined;
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      if (!response.writableEnded) response.end();
      resolve();
    };
    const tick = (): void => {
      if (find()?.metadata.uid !== pod.metadata.uid) return end();
      response.write(line(parts.clock.now(), `${container}: still here`));
      cancel = parts.clock.after(FOLLOW_MS, tick);
    };
    signal.addEventListener("abort", end, { once: true });
    response.once("close", end);
    cancel = parts.clock.after(FOLLOW_MS, tick);
  });
  return undefined;
}

function containerOf(pod: ApiObject, wanted: string | null): string {
  const names = [...listIn(pod, "spec", "containers"), ...listIn(pod, "spec", "initContainers")].map((one) => textIn(one, "name") ?? "");
  if (wanted !== null && wanted !== "" && !names.includes(wanted))
    throw badRequest(`container ${wanted} is not valid for pod ${pod.metadata.name}`);
  if ((wanted ?? "") === "" && listIn(pod, "spec", "containers").length > 1) {
    throw badRequest(`a container name must be specified for pod ${pod.metadata.name}, choose one of: [${names.join(" ")}]`);
  }
  return wanted === null || wanted === "" ? (names[0] ?? "") : wanted;
}

function refuseWaiting(pod: ApiObject, container: string): void {
  const status = listIn(pod, "status", "containerStatuses").find((one) => textIn(one, "name") === container);
  const reason = textIn(status, "state", "waiting", "reason");
  if (reason === undefined && textIn(pod, "status", "phase") !== "Pending") return;
  const why = reason === "ImagePullBackOff" ? "trying and failing to pull image" : (reason ?? "ContainerCreating");
  throw badRequest(`container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${why}`);
}
