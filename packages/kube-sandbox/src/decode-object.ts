import { parse as parseYaml } from "yaml";

import type { ApiObject } from "./api-object.ts";
import { badRequest, invalid, unsupportedMediaType } from "./api-error.ts";
import { contentTypeOf, readBody, type Exchange } from "./exchange.ts";
import { isTree, textIn } from "./json-tree.ts";
import { decodeProtobuf } from "./protobuf-decoder.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import { checkShape } from "./schema-check.ts";
import type { SchemaCatalog } from "./schema.ts";

/** What a written object is held against. */
export interface DecodeRules {
  readonly of: ResourceDefinition;
  readonly catalog: SchemaCatalog;
  /** `fieldValidation`: Ignore, Warn or Strict. */
  readonly fieldValidation: string | null;
  readonly warnings: string[];
}

/**
 * The body as a JSON value: JSON, or YAML or protobuf where the content type says so.
 *
 * @throws ApiError 400, 413, 415
 */
export async function readValue(exchange: Exchange): Promise<unknown> {
  const type = contentTypeOf(exchange.request);
  const body = await readBody(exchange.request);
  if (body.length === 0) return undefined;
  if (type === "application/vnd.kubernetes.protobuf") return decodeProtobuf(body);
  if (type.includes("cbor")) throw unsupportedMediaType(["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]);
  const text = body.toString("utf8");
  try {
    if (type.includes("yaml") && !/^\s*\{/.test(text)) return parseYaml(text, { maxAliasCount: 100 });
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`the object provided is unrecognized (must be of type JSON or YAML): ${error instanceof Error ? error.message : ""}`);
  }
}

/**
 * A value a client wants to store, as an object of the kind, in the version it was written in: unknown fields are gone
 * (or refused, with `Strict`), types are right, metadata is an object.
 *
 * @throws ApiError 400 for another kind, a wrong type in a built-in kind or unknown fields under Strict; 422
 */
export function decodeObject(value: unknown, rules: DecodeRules): ApiObject {
  const { of, catalog } = rules;
  if (!isTree(value)) throw badRequest("the object provided is unrecognized: it is not a JSON object");
  const apiVersion = textIn(value, "apiVersion") ?? apiVersionOf(of);
  const kind = textIn(value, "kind") ?? of.kind;
  if (apiVersion !== apiVersionOf(of) || kind !== of.kind) {
    throw badRequest(
      `the API version in the data (${apiVersion}, Kind=${kind}) does not match the expected API version (${apiVersionOf(of)}, Kind=${of.kind})`,
    );
  }
  const input = { ...value, apiVersion, kind, metadata: value["metadata"] ?? {} };
  const report = checkShape(of.schema ?? {}, input, { catalog, custom: of.custom });
  const metadata = checkShape(catalog.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta") ?? {}, input.metadata, {
    catalog,
    custom: false,
  });
  const metadataUnknown = of.custom ? metadata.unknown.map((path) => `metadata.${path}`) : [];
  refuseUnknown([...report.unknown, ...metadataUnknown], rules);
  const mistyped = [...report.causes, ...(of.custom ? metadata.causes : [])];
  const wrong = mistyped.filter((cause) => cause.reason === "FieldValueTypeInvalid");
  if (!of.custom && wrong[0]) {
    throw badRequest(
      `${of.kind} in version "${of.version}" cannot be handled as a ${of.kind}: json: cannot unmarshal: ${wrong[0].message}`,
    );
  }
  const name = textIn(value, "metadata", "name") ?? "";
  if (mistyped.length > 0) throw invalid(of, name, mistyped);
  // Checked just above: an object with a kind, a version and metadata of the right types.
  return { ...(report.value as ApiObject), ...(of.custom ? { metadata: metadata.value as ApiObject["metadata"] } : {}) };
}

function refuseUnknown(paths: readonly string[], { of, fieldValidation, warnings }: DecodeRules): void {
  if (paths.length === 0 || fieldValidation === "Ignore") return;
  const sentences = paths.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (fieldValidation === "Strict") {
    throw badRequest(
      `${of.kind} in version "${of.version}" cannot be handled as a ${of.kind}: strict decoding error: ${sentences.join(", ")}`,
    );
  }
  warnings.push(...sentences);
}
