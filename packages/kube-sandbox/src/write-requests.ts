import { badRequest, methodNotAllowed, type StatusBody } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { decodeObject, readValue, type DecodeRules } from "./decode-object.ts";
import { isDryRun, managerOf, type Answer, type Exchange } from "./exchange.ts";
import { isTree, numberIn, textIn, valueIn } from "./json-tree.ts";
import { selectionOf } from "./list-request.ts";
import type { DeleteOptions, ObjectWriter, WriteOptions } from "./object-writer.ts";
import { objectText } from "./representation.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import { convertToStorage } from "./version-conversion.ts";

/** How a client's write is recorded and checked. */
export function writeOptionsOf(exchange: Exchange, of: ResourceDefinition): WriteOptions {
  const { subresource } = exchange.target;
  return {
    dryRun: isDryRun(exchange.query),
    manager: managerOf(exchange),
    apiVersion: apiVersionOf(of),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** What a client's object is held against. */
export function decodeRulesOf(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): DecodeRules {
  return { of, catalog: writer.catalog, fieldValidation: exchange.query.get("fieldValidation"), warnings: exchange.warnings };
}

/** POST on a collection. @throws ApiError 400, 403, 404, 409, 415, 422 */
export async function answerCreate(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Promise<Answer> {
  const object = decodeObject(await readValue(exchange), decodeRulesOf(exchange, of, writer));
  placeInNamespace(object, of, exchange.target.namespace);
  if ((object.metadata.resourceVersion ?? "") !== "") throw badRequest("resourceVersion should not be set on objects to be created");
  const created = writer.create(of, convertToStorage(object, of), writeOptionsOf(exchange, of));
  return { code: 201, body: objectText(created, of) };
}

/** PUT on an object, or on its status. @throws ApiError 400, 404, 409, 415, 422 */
export async function answerUpdate(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Promise<Answer> {
  const object = decodeObject(await readValue(exchange), decodeRulesOf(exchange, of, writer));
  placeInNamespace(object, of, exchange.target.namespace);
  const name = exchange.target.name ?? "";
  object.metadata.name ||= name;
  if (object.metadata.name !== name) {
    throw badRequest(`the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`);
  }
  const updated = writer.update(of, convertToStorage(object, of), writeOptionsOf(exchange, of));
  return { code: 200, body: objectText(updated, of) };
}

/** Puts the URL's namespace into an object that has none. @throws ApiError 400 when it has another one */
export function placeInNamespace(object: ApiObject, of: ResourceDefinition, namespace: string | undefined): void {
  if (!of.namespaced) return;
  if (namespace === undefined) throw methodNotAllowed();
  const own = object.metadata.namespace ?? "";
  if (own !== "" && own !== namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  object.metadata.namespace = namespace;
}

async function deleteOptionsOf(exchange: Exchange): Promise<DeleteOptions> {
  const body = await readValue(exchange);
  const { query } = exchange;
  const orphan =
    valueIn(body, "orphanDependents") ?? (query.has("orphanDependents") ? query.get("orphanDependents") === "true" : undefined);
  const propagation =
    textIn(body, "propagationPolicy") ??
    query.get("propagationPolicy") ??
    (orphan === undefined ? undefined : orphan === true ? "Orphan" : "Background");
  if (propagation !== undefined && !["Background", "Foreground", "Orphan"].includes(propagation)) {
    throw badRequest(`DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: ${JSON.stringify(propagation)}`);
  }
  const grace =
    numberIn(body, "gracePeriodSeconds") ?? (query.has("gracePeriodSeconds") ? Number(query.get("gracePeriodSeconds")) : undefined);
  const uid = textIn(body, "preconditions", "uid");
  const resourceVersion = textIn(body, "preconditions", "resourceVersion");
  const dryRun = isDryRun(query) || (isTree(body) && Array.isArray(body["dryRun"]) && body["dryRun"].includes("All"));
  return {
    dryRun,
    ...(propagation === undefined ? {} : { propagation }),
    ...(grace === undefined ? {} : { graceSeconds: grace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** DELETE on an object: a Status when it is gone, the object when something keeps it. @throws ApiError 404, 409 */
export async function answerDelete(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Promise<Answer> {
  const options = await deleteOptionsOf(exchange);
  const { name = "", namespace } = exchange.target;
  const target = { metadata: { name, ...(of.namespaced && namespace !== undefined ? { namespace } : {}) } };
  // delete() looks the object up by namespace and name and reads nothing else of it.
  const { object, gone } = writer.delete(of, target as ApiObject, options);
  if (!gone || of.storage === "/pods") return { code: 200, body: objectText(object, of) };
  const group = of.group === "" ? {} : { group: of.group };
  const status: StatusBody = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...group, kind: of.plural, uid: object.metadata.uid },
    code: 200,
  };
  const { code: _, ...body } = status;
  return { code: 200, body: JSON.stringify(body) };
}

/** DELETE on a collection: every selected object, answered as a list. @throws ApiError 400, 409 */
export async function answerDeleteCollection(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Promise<Answer> {
  const options = await deleteOptionsOf(exchange);
  const objects = writer.store.list(of.storage).filter(selectionOf(exchange, of));
  const texts = objects.map((object) => objectText(writer.delete(of, object, options).object, of));
  const metadata = JSON.stringify({ resourceVersion: String(writer.store.revision) });
  return {
    code: 200,
    body: `{"kind":"${of.listKind}","apiVersion":"${apiVersionOf(of)}","metadata":${metadata},"items":[${texts.join(",")}]}`,
  };
}
