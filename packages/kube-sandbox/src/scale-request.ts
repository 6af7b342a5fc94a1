import { badRequest, methodNotAllowed, notFound } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { readValue } from "./decode-object.ts";
import { contentTypeOf, type Answer, type Exchange } from "./exchange.ts";
import { isTree, numberIn, textIn, valueIn, type Tree } from "./json-tree.ts";
import { selectorText } from "./label-selector.ts";
import type { ObjectWriter } from "./object-writer.ts";
import { applyPatch } from "./patch-request.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { writeOptionsOf } from "./write-requests.ts";

interface Paths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  readonly selector: readonly string[] | undefined;
}

function pathsOf(of: ResourceDefinition): Paths {
  const split = (path: string): string[] => path.split(".").filter((part) => part !== "");
  if (!of.scale) return { spec: ["spec", "replicas"], status: ["status", "replicas"], selector: undefined };
  const selector = of.scale.labelSelectorPath;
  return {
    spec: split(of.scale.specReplicasPath),
    status: split(of.scale.statusReplicasPath),
    selector: selector === undefined ? undefined : split(selector),
  };
}

/** `/scale` of a workload or of a custom resource that has one: GET, PUT, PATCH. @throws ApiError 400, 404, 405, 409 */
export async function answerScale(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Promise<Answer> {
  const { name = "", namespace } = exchange.target;
  const body = exchange.verb === "get" ? undefined : await readValue(exchange);
  const live = writer.store.get(of.storage, namespace, name);
  if (!live) throw notFound(of, name);
  const scale = scaleOf(live, of);
  if (exchange.verb === "get") return { code: 200, body: JSON.stringify(scale) };
  if (exchange.verb !== "update" && exchange.verb !== "patch") throw methodNotAllowed();
  const wanted =
    exchange.verb === "update"
      ? body
      : applyPatch(structuredClone(scale), body, {
          type: contentTypeOf(exchange.request),
          typed: { catalog: writer.catalog, schema: undefined },
        });
  const replicas = numberIn(wanted, "spec", "replicas") ?? 0;
  if (!isTree(wanted) || !Number.isInteger(replicas) || replicas < 0)
    throw badRequest("Scale.autoscaling: spec.replicas must be a whole number, not negative");
  const next = structuredClone(live);
  setAt(next, pathsOf(of).spec, replicas);
  next.metadata.resourceVersion = textIn(wanted, "metadata", "resourceVersion") ?? "";
  const uid = textIn(wanted, "metadata", "uid");
  if (uid !== undefined && uid !== "") next.metadata.uid = uid;
  const updated = writer.update(of, next, { ...writeOptionsOf(exchange, of), subresource: "scale" });
  return { code: 200, body: JSON.stringify(scaleOf(updated, of)) };
}

function scaleOf(object: ApiObject, of: ResourceDefinition): Tree {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const paths = pathsOf(of);
  const selector = paths.selector
    ? textIn(object, ...paths.selector)
    : of.custom
      ? undefined
      : selectorText(valueIn(object, "spec", "selector"));
  const replicas = numberIn(object, ...paths.spec);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    // `replicas` of a Scale is left out when it is 0 (autoscaling/v1, omitempty).
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: { replicas: numberIn(object, ...paths.status) ?? 0, ...(selector === undefined ? {} : { selector }) },
  };
}

function setAt(root: Tree, path: readonly string[], value: unknown): void {
  const [field = "", ...rest] = path;
  if (rest.length === 0) {
    root[field] = value;
    return;
  }
  const below = root[field];
  const child: Tree = isTree(below) ? below : {};
  root[field] = child;
  setAt(child, rest, value);
}
