import type { PodStreams } from "@binnacle/kubelet-stand-in";

import { chooseRepresentation } from "./accept.ts";
import { methodNotAllowed, notFound, notImplemented, pathNotFound } from "./api-error.ts";
import { answerEviction, answerTokenRequest } from "./account-requests.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { answerList } from "./list-request.ts";
import type { ObjectWriter } from "./object-writer.ts";
import { answerPatch } from "./patch-request.ts";
import { answerPodStream, isPodStream } from "./pod-requests.ts";
import { answerPodMetrics, POD_METRICS } from "./pod-metrics.ts";
import type { Rbac } from "./rbac.ts";
import { textFor } from "./representation.ts";
import { hasSubresource, type ResourceDefinition } from "./resource-definition.ts";
import { answerReview } from "./review-requests.ts";
import { answerScale } from "./scale-request.ts";
import { tableText } from "./table.ts";
import type { Tokens } from "./tokens.ts";
import { streamWatch } from "./watch-stream.ts";
import { answerCreate, answerDelete, answerDeleteCollection, answerUpdate } from "./write-requests.ts";

/** What requests on resources are answered from. */
export interface ResourceParts {
  readonly writer: ObjectWriter;
  readonly rbac: Rbac;
  readonly tokens: Tokens;
  /** Exec, attach, port-forward and logs of the simulated containers. */
  readonly podStreams: PodStreams;
}

/** Subresources Kubernetes has and this server does not. */
const LEFT_OUT = new Set(["proxy", "resize", "binding", "approval", "finalize"]);

/**
 * Answers a request on a resource; nothing is returned when the answer was streamed.
 *
 * @throws ApiError as the API server would, 501 for what is left out
 */
export async function answerResource(exchange: Exchange, parts: ResourceParts): Promise<Answer | undefined> {
  const { target, verb } = exchange;
  const { writer, tokens, rbac } = parts;
  const of = writer.registry.find(target.group, target.version, target.resource);
  if (!of) throw pathNotFound();
  if (target.subresource !== undefined) return answerSubresource(exchange, of, parts);
  if (of.namespaced && target.namespace === undefined && !["list", "watch", "create"].includes(verb)) throw pathNotFound();
  if (!of.namespaced && target.namespace !== undefined && target.resource !== "namespaces") throw pathNotFound();
  if (!of.verbs.includes(verb)) throw methodNotAllowed();
  if (!of.verbs.includes("get")) return answerReview(exchange, of, { rbac, tokens, now: writer.clock.now() });
  const { store, clock } = writer;
  if (of.storage === POD_METRICS.storage) return answerPodMetrics(exchange, of, { store, now: clock.now() });
  switch (verb) {
    case "get":
      return answerGet(exchange, of, writer);
    case "list":
      return answerList(exchange, of, { store, representation: chooseRepresentation(exchange.request.headers.accept), now: clock.now() });
    case "watch":
      await streamWatch(exchange, of, { store, clock, representation: chooseRepresentation(exchange.request.headers.accept) });
      return undefined;
    case "create":
      return answerCreate(exchange, of, writer);
    case "update":
      return answerUpdate(exchange, of, writer);
    case "patch":
      return answerPatch(exchange, of, writer);
    case "delete":
      return answerDelete(exchange, of, writer);
    case "deletecollection":
      return answerDeleteCollection(exchange, of, writer);
    default:
      throw methodNotAllowed();
  }
}

function answerGet(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Answer {
  const { name = "", namespace } = exchange.target;
  const representation = chooseRepresentation(exchange.request.headers.accept);
  const object = writer.store.get(of.storage, of.namespaced ? namespace : undefined, name);
  if (!object) throw notFound(of, name);
  if (representation !== "Table") return { code: 200, body: textFor(object, of, representation) };
  const metadata = JSON.stringify({ resourceVersion: object.metadata.resourceVersion });
  const include = exchange.query.get("includeObject") ?? "Metadata";
  return { code: 200, body: tableText([object], { of, include, now: writer.clock.now(), metadata, withColumns: true }) };
}

async function answerSubresource(
  exchange: Exchange,
  of: ResourceDefinition,
  { writer, tokens, podStreams }: ResourceParts,
): Promise<Answer | undefined> {
  const { target, verb } = exchange;
  const subresource = target.subresource ?? "";
  if (of.storage === "/namespaces" && subresource === "finalize") {
    if (verb !== "update") throw methodNotAllowed();
    return answerUpdate(exchange, of, writer);
  }
  if (!hasSubresource(of, subresource))
    throw LEFT_OUT.has(subresource) ? notImplemented(`the subresource ${of.plural}/${subresource}`) : pathNotFound();
  if (subresource === "scale") return answerScale(exchange, of, writer);
  if (of.storage === "/pods" && isPodStream(subresource)) return answerPodStream(exchange, of, podStreams);
  if (subresource === "token" && verb === "create") return answerTokenRequest(exchange, of, { writer, tokens });
  if (subresource === "eviction" && verb === "create") return answerEviction(exchange, of, writer);
  if (subresource !== "status" && subresource !== "ephemeralcontainers") throw methodNotAllowed();
  switch (verb) {
    case "get":
      return answerGet(exchange, of, writer);
    case "update":
      return answerUpdate(exchange, of, writer);
    case "patch":
      return answerPatch(exchange, of, writer);
    default:
      throw methodNotAllowed();
  }
}
