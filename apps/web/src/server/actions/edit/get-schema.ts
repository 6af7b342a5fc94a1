import { KubeClientError } from "@binnacle/environment-view";
import { fieldsAt, isFields, listAt, textAt, textOf, type Fields } from "@binnacle/kube";
import { GetSchemaResponseSchema, type GetSchemaResponse } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";

import { openAction, type ActionQuestion, type OpenAction, type ActionContext } from "../open-action.ts";
import { asFault } from "../../resource/with-resource.ts";

/** A document of a group version has all its kinds: that of the core group has some 1.5 MB. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
/** Schemas that one kind refers to: a Deployment has about 150. */
const MAX_SCHEMAS = 600;
const MAX_SCHEMA_CHARS = 1_000_000;
const MAX_DESCRIPTION_CHARS = 800;
const MAX_DEPTH = 40;
const MAX_CACHED_CHARS = 32 * 1024 * 1024;
const CACHED_MS = 10 * 60_000;
const REFERENCE = "#/components/schemas/";

const CACHES = new WeakMap<ActionContext, LRUCache<string, string>>();

/**
 * The schema of a resource's kind, from the cluster's OpenAPI v3 document, which is read as the viewer and remembered for ten minutes for the same
 * viewer and agent. A cluster without one, and a document that is too large, are no schema.
 *
 * @throws Fault as `openAction`
 */
export async function getSchema(context: ActionContext, question: ActionQuestion): Promise<GetSchemaResponse> {
  const action = await openAction(context, question);
  const { opened, ref } = action;
  const { agent } = opened.environment;
  const key = JSON.stringify([opened.viewer.username, String(agent.id), ref.group, ref.version, ref.kind]);
  const cache =
    CACHES.get(context) ?? new LRUCache({ maxSize: MAX_CACHED_CHARS, sizeCalculation: ({ length }) => length + 1, ttl: CACHED_MS });
  CACHES.set(context, cache);
  const schema = cache.get(key) ?? (await readSchema(context, action));
  cache.set(key, schema);
  return create(GetSchemaResponseSchema, { schema });
}

async function readSchema(context: ActionContext, { opened, ref, signal }: OpenAction): Promise<string> {
  const { group, version } = ref;
  const path = `/openapi/v3/${group === "" ? "api" : `apis/${encodeURIComponent(group)}`}/${encodeURIComponent(version)}`;
  try {
    return schemaOf(await opened.access.client.json({ path, mostBytes: MAX_DOCUMENT_BYTES }, signal), ref);
  } catch (error) {
    if (error instanceof KubeClientError && (error.failure === "api" || error.failure === "too_large")) return "";
    throw await asFault(context, { opened, error }, signal);
  }
}

/** The schema of one kind with all that it refers to, as JSON; empty: there is none, or it is too large. */
function schemaOf(document: unknown, kind: { readonly group: string; readonly version: string; readonly kind: string }): string {
  const all = fieldsAt(fieldsAt(document, "components"), "schemas");
  const root = Object.keys(all).find((name) =>
    listAt(all[name], "x-kubernetes-group-version-kind").some(
      (of) => textAt(of, "group") === kind.group && textAt(of, "version") === kind.version && textAt(of, "kind") === kind.kind,
    ),
  );
  if (root === undefined) return "";
  const schemas: Record<string, unknown> = Object.create(null);
  const names = [root];
  for (const name of names) {
    if (!Object.hasOwn(all, name) || Object.hasOwn(schemas, name)) continue;
    if (Object.keys(schemas).length >= MAX_SCHEMAS) return "";
    schemas[name] = compact(all[name], (found) => void names.push(found), 0);
  }
  const text = JSON.stringify({ root, schemas });
  return text.length > MAX_SCHEMA_CHARS ? "" : text;
}

/** The parts of a schema that completion reads. @param refers is called with each name that it refers to */
function compact(schema: unknown, refers: (name: string) => void, depth: number): Fields {
  if (!isFields(schema) || depth > MAX_DEPTH) return {};
  const below = (value: unknown): Fields => compact(value, refers, depth + 1);
  // A field with a default or a description of its own has its reference in a list of one.
  const [only] = listAt(schema, "allOf");
  const reference = textAt(schema, "$ref") || textAt(only, "$ref");
  const ref = reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : "";
  if (ref !== "") refers(ref);
  const description = textAt(schema, "description").slice(0, MAX_DESCRIPTION_CHARS);
  const type = textAt(schema, "type");
  const { properties, items, additionalProperties } = schema;
  const enumeration = listAt(schema, "enum").map(textOf).filter(Boolean);
  const required = listAt(schema, "required").map(textOf).filter(Boolean);
  return {
    ...(type !== "" && { type }),
    ...(description !== "" && { description }),
    ...(ref !== "" && { ref }),
    ...(isFields(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, below(value)])),
    }),
    ...(isFields(items) && { items: below(items) }),
    ...(isFields(additionalProperties) && { additionalProperties: below(additionalProperties) }),
    ...(enumeration.length > 0 && { enum: enumeration }),
    ...(required.length > 0 && { required }),
  };
}
