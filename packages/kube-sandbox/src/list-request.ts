import type { Representation } from "./accept.ts";
import type { ApiObject } from "./api-object.ts";
import { ApiError, badRequest } from "./api-error.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { parseFieldSelector } from "./field-selector.ts";
import { parseLabelSelector } from "./label-selector.ts";
import { itemText, metadataText } from "./representation.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import type { Store } from "./store.ts";
import { tableText } from "./table.ts";

/** Which objects of a resource a request is about. */
export function selectionOf(exchange: Exchange, of: ResourceDefinition): (object: ApiObject) => boolean {
  const { query, target } = exchange;
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  const fields = parseFieldSelector(query.get("fieldSelector") ?? "", of);
  const namespace = of.namespaced ? target.namespace : undefined;
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) && labels(object.metadata.labels) && fields(object);
}

interface ContinueToken {
  readonly revision: number;
  readonly start: string;
}

/**
 * Answers a list: selected objects as of one revision, in pages when `limit` asks for them. All pages of a list show the
 * state of its first page.
 *
 * @throws ApiError 400, 410 when a page's state is no longer remembered, 504 for a version from the future
 */
export function answerList(
  exchange: Exchange,
  of: ResourceDefinition,
  options: { readonly store: Store; readonly representation: Representation; readonly now: number },
): Answer {
  const { store, representation, now } = options;
  const { query } = exchange;
  const token = readContinue(query.get("continue"));
  const revision = token?.revision ?? wantedRevision(query, store);
  const matches = selectionOf(exchange, of);
  let objects = store.listIn(of.storage, revision).filter(matches);
  if (token) objects = objects.filter((object) => positionOf(object) > token.start);
  const limit = Number(query.get("limit") ?? 0);
  const page = limit > 0 ? objects.slice(0, limit) : objects;
  const last = page.at(-1);
  const more = objects.length - page.length;
  const selective = query.has("labelSelector") || query.has("fieldSelector");
  const metadata = JSON.stringify({
    resourceVersion: String(revision),
    ...(more > 0 && last ? { continue: writeContinue({ revision, start: positionOf(last) }) } : {}),
    ...(more > 0 && !selective ? { remainingItemCount: more } : {}),
  });
  if (representation === "Table") {
    return {
      code: 200,
      body: tableText(page, { of, include: query.get("includeObject") ?? "Metadata", now, metadata, withColumns: true }),
    };
  }
  if (representation === "PartialObjectMetadata") {
    return {
      code: 200,
      body: `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"items":[${page.map(metadataText).join(",")}]}`,
    };
  }
  const items = page.map((object) => itemText(object, of)).join(",");
  return {
    code: 200,
    body: `{"kind":${JSON.stringify(of.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(of))},"metadata":${metadata},"items":[${items}]}`,
  };
}

function wantedRevision(query: URLSearchParams, store: Store): number {
  const wanted = query.get("resourceVersion") ?? "";
  if (wanted === "" || wanted === "0") return store.revision;
  if (!/^\d+$/.test(wanted)) throw badRequest(`Invalid value: ${JSON.stringify(wanted)}: invalid resource version`);
  if (Number(wanted) > store.revision) {
    const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version", field: "" }];
    throw new ApiError(504, "Timeout", `Timeout: Too large resource version: ${wanted}, current: ${store.revision}`, {
      causes,
      retryAfterSeconds: 1,
    });
  }
  return query.get("resourceVersionMatch") === "Exact" ? Number(wanted) : store.revision;
}

function positionOf(object: ApiObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

function writeContinue(token: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: token.revision, start: token.start })).toString("base64url");
}

function readContinue(text: string | null): ContinueToken | undefined {
  if (text === null || text === "") return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (
      typeof value === "object" &&
      value !== null &&
      "rv" in value &&
      "start" in value &&
      typeof value.rv === "number" &&
      typeof value.start === "string"
    ) {
      return { revision: value.rv, start: value.start };
    }
  } catch {
    // Falls through: an unreadable token is refused like a wrong one.
  }
  throw badRequest("continue key is not valid");
}
