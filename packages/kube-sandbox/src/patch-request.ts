import jsonPatch from "fast-json-patch";

import { ApiError, badRequest, notFound, unsupportedMediaType } from "./api-error.ts";
import { timestampOf, type ApiObject } from "./api-object.ts";
import { decodeObject, readValue } from "./decode-object.ts";
import { contentTypeOf, managerOf, type Answer, type Exchange } from "./exchange.ts";
import type { Typed } from "./field-set.ts";
import { isTree } from "./json-tree.ts";
import type { ObjectWriter } from "./object-writer.ts";
import { objectText } from "./representation.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import { applyConfiguration } from "./server-side-apply.ts";
import { mergePatch, strategicMerge } from "./strategic-merge.ts";
import { convertTo, convertToStorage } from "./version-conversion.ts";
import { decodeRulesOf, placeInNamespace, writeOptionsOf } from "./write-requests.ts";

const APPLY = "application/apply-patch+yaml";
const PATCH_TYPES = ["application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", APPLY];

/** PATCH on an object or its status, in all four ways. @throws ApiError 400, 404, 409, 415, 422 */
export async function answerPatch(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Promise<Answer> {
  const type = contentTypeOf(exchange.request);
  if (!PATCH_TYPES.includes(type) || (of.custom && type.includes("strategic")))
    throw unsupportedMediaType(PATCH_TYPES.filter((one) => !of.custom || !one.includes("strategic")));
  const patch = await readValue(exchange);
  const { name = "", namespace } = exchange.target;
  // Nothing is awaited from here on: what is read stays true until it is written.
  const live = writer.store.get(of.storage, of.namespaced ? namespace : undefined, name);
  if (type === APPLY) return answerApply(exchange, of, { writer, patch, live });
  if (!live) throw notFound(of, name);
  const shown = convertTo(live, of);
  const typed: Typed = { catalog: writer.catalog, schema: of.schema };
  const patched = applyPatch(structuredClone(shown), patch, { type, typed });
  const object = decodeObject(patched, decodeRulesOf(exchange, of, writer));
  keepIdentity(object, live);
  const updated = writer.update(of, convertToStorage(object, of), writeOptionsOf(exchange, of));
  return { code: 200, body: objectText(updated, of) };
}

/**
 * The value after a JSON, merge or strategic merge patch.
 *
 * @throws ApiError 400 for a malformed patch, 422 for a JSON patch that does not fit
 */
export function applyPatch(value: unknown, patch: unknown, how: { readonly type: string; readonly typed: Typed }): unknown {
  if (how.type === "application/json-patch+json") {
    if (!Array.isArray(patch)) throw badRequest("a JSON patch is a list of operations");
    try {
      return jsonPatch.applyPatch(value, patch, true, false).newDocument;
    } catch {
      throw new ApiError(422, "Invalid", "the server rejected our request due to an error in our request", {});
    }
  }
  if (!isTree(patch)) throw badRequest("a merge patch is a JSON object");
  return how.type === "application/merge-patch+json" ? mergePatch(value, patch) : strategicMerge(value, patch, how.typed);
}

function keepIdentity(object: ApiObject, live: ApiObject): void {
  if (object.metadata.name !== live.metadata.name)
    throw badRequest(`the name of the object (${object.metadata.name}) does not match the name on the URL (${live.metadata.name})`);
  if (live.metadata.namespace !== undefined) object.metadata.namespace = live.metadata.namespace;
}

interface ApplyInput {
  readonly writer: ObjectWriter;
  readonly patch: unknown;
  readonly live: ApiObject | undefined;
}

function answerApply(exchange: Exchange, of: ResourceDefinition, { writer, patch, live }: ApplyInput): Answer {
  const { query, target } = exchange;
  if ((query.get("fieldManager") ?? "") === "") {
    throw new ApiError(422, "Invalid", 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch');
  }
  if (!isTree(patch)) throw badRequest("an apply patch is an object");
  // Defaults and required fields concern the result; the configuration may be partial.
  const config = structuredClone(patch) as unknown as ApiObject;
  config.metadata = { ...config.metadata, name: config.metadata?.name ?? target.name ?? "" };
  if (config.metadata.name !== target.name)
    throw badRequest(`the name of the object (${config.metadata.name}) does not match the name on the URL (${target.name})`);
  placeInNamespace(config, of, target.namespace);
  if (target.subresource !== undefined && !live) throw notFound(of, target.name ?? "");
  if (config.metadata.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  const typed: Typed = { catalog: writer.catalog, schema: of.schema };
  const merged = applyConfiguration({
    live: live && convertTo(live, of),
    config,
    writer: {
      manager: managerOf(exchange),
      apiVersion: apiVersionOf(of),
      time: timestampOf(writer.clock.now()),
      ...(target.subresource === undefined ? {} : { subresource: target.subresource }),
    },
    force: query.get("force") === "true",
    typed,
  });
  if (!live && config.metadata.uid !== undefined)
    throw new ApiError(
      409,
      "Conflict",
      `uid mismatch: the provided object specified uid ${config.metadata.uid}, and no existing object was found`,
      {},
    );
  const { managedFields } = merged.metadata;
  const object = decodeObject(merged, decodeRulesOf(exchange, of, writer));
  if (managedFields) object.metadata.managedFields = managedFields;
  const options = { ...writeOptionsOf(exchange, of), tracked: true };
  const stored = live ? writer.update(of, convertToStorage(object, of), options) : writer.create(of, convertToStorage(object, of), options);
  return { code: live ? 200 : 201, body: objectText(stored, of) };
}
