import { randomUUID } from "node:crypto";

import type { Clock } from "@binnacle/rpc";

import { timestampOf, type ApiObject, type Meta } from "./api-object.ts";
import { alreadyExists, ApiError, conflict, invalid, MODIFIED, notFound } from "./api-error.ts";
import { admit, kindCauses, type ChangeContext } from "./kind-admission.ts";
import { applyDefaults } from "./kind-defaults.ts";
import { isSame, isTree, listIn, numberIn, textIn, treeIn } from "./json-tree.ts";
import { trackUpdate } from "./managed-fields.ts";
import { metadataCauses, randomSuffix } from "./names.ts";
import { apiVersionOf, hasSubresource, type ResourceDefinition } from "./resource-definition.ts";
import type { ResourceRegistry } from "./resource-registry.ts";
import type { SchemaCatalog } from "./schema.ts";
import type { Store } from "./store.ts";

/** How a write is to be done. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Recorded in managedFields; absent (controllers): nothing is recorded. */
  readonly manager?: string;
  /** Version the client wrote in, for managedFields. */
  readonly apiVersion?: string;
  /** The managedFields in the object are already right (server-side apply). */
  readonly tracked?: boolean;
  readonly subresource?: string;
}

/** `DeleteOptions` as far as this server knows them. */
export interface DeleteOptions {
  readonly propagation?: string;
  readonly graceSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun?: boolean;
}

const NO_GENERATION = new Set(
  "/configmaps /endpoints /events /limitranges /namespaces /nodes /persistentvolumeclaims /persistentvolumes /resourcequotas /secrets /serviceaccounts /services apps/controllerrevisions autoscaling/horizontalpodautoscalers coordination.k8s.io/leases storage.k8s.io/storageclasses".split(
    " ",
  ),
);

/**
 * Every rule that applies to all writers: names, namespaces, defaults, metadata, generations, finalizers. Handlers and
 * controllers both write through it. Synchronous: what was read before a call is still true in it.
 */
export class ObjectWriter {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly catalog: SchemaCatalog;
  readonly clock: Clock;

  constructor(parts: {
    readonly store: Store;
    readonly registry: ResourceRegistry;
    readonly catalog: SchemaCatalog;
    readonly clock: Clock;
  }) {
    this.store = parts.store;
    this.registry = parts.registry;
    this.catalog = parts.catalog;
    this.clock = parts.clock;
  }

  /** @throws ApiError 404 without its namespace, 403 in one that ends, 409 AlreadyExists, 422 */
  create(of: ResourceDefinition, input: ApiObject, options: WriteOptions = {}): ApiObject {
    const object = structuredClone(input);
    const meta: Partial<Meta> = isTree(object.metadata) ? object.metadata : {};
    if ((meta.name ?? "") === "" && (meta.generateName ?? "") !== "")
      meta.name = `${(meta.generateName ?? "").slice(0, 58)}${randomSuffix()}`;
    const name = meta.name ?? "";
    if (name === "")
      throw invalid(of, "", [
        { reason: "FieldValueRequired", message: "Required value: name or generateName is required", field: "metadata.name" },
      ]);
    if (of.namespaced) this.#checkNamespace(of, meta.namespace ?? "", name);
    else delete meta.namespace;
    delete meta.deletionTimestamp;
    delete meta.deletionGracePeriodSeconds;
    object.metadata = { ...meta, name, uid: "", resourceVersion: "", creationTimestamp: timestampOf(this.clock.now()) };
    if (hasSubresource(of, "status") && of.storage !== "/nodes") resetStatus(of, object);
    if (!NO_GENERATION.has(of.storage)) object.metadata.generation = 1;
    if (!of.custom) applyDefaults(of.storage, object);
    dropEmpty(object.metadata);
    // Admission may choose the uid already (a Job's selector holds it).
    admit(of.storage, object, { store: this.store });
    object.metadata.uid ||= randomUUID();
    this.#validate(of, object, { old: undefined, subresource: undefined });
    const existing = this.store.get(of.storage, object.metadata.namespace, name);
    if (existing) throw alreadyExists(of, name);
    this.#track(undefined, object, options);
    return options.dryRun === true ? object : this.store.put(of.storage, object);
  }

  /**
   * Replaces an object, or one subresource of it. A `metadata.resourceVersion` that is there must be the stored one.
   *
   * @throws ApiError 404, 409 Conflict, 422
   */
  update(of: ResourceDefinition, input: ApiObject, options: WriteOptions = {}): ApiObject {
    const { namespace, name, uid, resourceVersion } = input.metadata;
    const old = this.store.get(of.storage, namespace, name);
    if (!old) throw notFound(of, name);
    if ((uid ?? "") !== "" && uid !== old.metadata.uid) {
      throw conflict(of, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`);
    }
    if ((resourceVersion ?? "") !== "" && resourceVersion !== old.metadata.resourceVersion) throw conflict(of, name, MODIFIED);
    const object = mergeAllowed(of, { old, input: structuredClone(input), subresource: options.subresource });
    if (!of.custom) applyDefaults(of.storage, object);
    admit(of.storage, object, { store: this.store, old });
    if (hasChangedIntent(of, old, object)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    this.#validate(of, object, { old, subresource: options.subresource });
    if (object.metadata.deletionTimestamp !== undefined && isFinalized(of, object)) {
      return options.dryRun === true ? object : this.store.remove(of.storage, object);
    }
    this.#track(old, object, options);
    if (isSame(withoutBookkeeping(old), withoutBookkeeping(object))) {
      // Server-side apply changes managedFields even when no value changes; anything else is no write at all.
      if (options.tracked !== true || isSame(old.metadata.managedFields, object.metadata.managedFields)) return old;
    }
    return options.dryRun === true ? object : this.store.put(of.storage, object);
  }

  /**
   * Deletes an object, or marks it when finalizers, a grace period or the propagation policy keep it for now.
   *
   * @returns the object, and whether it is gone
   * @throws ApiError 404, 409 when a precondition does not hold
   */
  delete(of: ResourceDefinition, target: ApiObject, options: DeleteOptions = {}): { readonly object: ApiObject; readonly gone: boolean } {
    const { namespace, name } = target.metadata;
    const old = this.store.get(of.storage, namespace, name);
    if (!old) throw notFound(of, name);
    if (options.uid !== undefined && options.uid !== old.metadata.uid) {
      throw conflict(of, name, `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${old.metadata.uid}`);
    }
    if (options.resourceVersion !== undefined && options.resourceVersion !== old.metadata.resourceVersion) {
      throw conflict(
        of,
        name,
        `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${old.metadata.resourceVersion}`,
      );
    }
    const object = structuredClone(old);
    const graceSeconds = this.#graceOf(of, old, options);
    const policy = options.propagation ?? (of.storage === "batch/jobs" ? "Orphan" : "Background");
    const kept = (object.metadata.finalizers ?? []).filter((one) => one !== "foregroundDeletion" && one !== "orphan");
    if (policy === "Foreground") kept.push("foregroundDeletion");
    if (policy === "Orphan" && this.store.dependentsOf(old.metadata.uid).length > 0) kept.push("orphan");
    if (old.metadata.deletionTimestamp !== undefined && options.propagation === undefined)
      kept.splice(0, kept.length, ...(old.metadata.finalizers ?? []));
    if (kept.length > 0) object.metadata.finalizers = kept;
    else delete object.metadata.finalizers;
    const gone =
      kept.length === 0 && graceSeconds === 0 && !(of.storage === "/namespaces" && listIn(object, "spec", "finalizers").length > 0);
    if (options.dryRun === true) return { object, gone };
    if (gone) return { object: this.store.remove(of.storage, object), gone };
    object.metadata.deletionTimestamp ??= timestampOf(this.clock.now() + graceSeconds * 1_000);
    object.metadata.deletionGracePeriodSeconds = graceSeconds;
    if (object.metadata.generation !== undefined && old.metadata.deletionTimestamp === undefined) object.metadata.generation += 1;
    if (of.storage === "/namespaces") object["status"] = { ...treeIn(object, "status"), phase: "Terminating" };
    return { object: isSame(old, object) ? old : this.store.put(of.storage, object), gone };
  }

  #graceOf(of: ResourceDefinition, object: ApiObject, options: DeleteOptions): number {
    if (of.storage !== "/pods") return 0;
    const phase = textIn(object, "status", "phase");
    if (textIn(object, "spec", "nodeName") === undefined || phase === "Succeeded" || phase === "Failed") return 0;
    return options.graceSeconds ?? numberIn(object, "spec", "terminationGracePeriodSeconds") ?? 30;
  }

  #checkNamespace(of: ResourceDefinition, namespace: string, name: string): void {
    const place = this.registry.find("", "v1", "namespaces");
    const found = this.store.get("/namespaces", undefined, namespace);
    if (!found && place) throw notFound(place, namespace);
    if (found?.metadata.deletionTimestamp === undefined) return;
    const group = of.group === "" ? "" : `.${of.group}`;
    const message = `${of.plural}${group} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`;
    const causes = [{ reason: "NamespaceTerminating", message: `namespace ${namespace} is being terminated`, field: "metadata.namespace" }];
    throw new ApiError(403, "Forbidden", message, { name, kind: of.plural, causes });
  }

  #validate(of: ResourceDefinition, object: ApiObject, change: ChangeContext): void {
    const causes = [...metadataCauses(of, object.metadata), ...kindCauses(of.storage, object, change)];
    if (causes.length > 0) throw invalid(of, object.metadata.name, causes);
  }

  #track(old: ApiObject | undefined, object: ApiObject, options: WriteOptions): void {
    if (options.tracked === true) return;
    if (options.manager === undefined) {
      if (old?.metadata.managedFields) object.metadata.managedFields = old.metadata.managedFields;
      return;
    }
    const entry = { manager: options.manager, apiVersion: options.apiVersion ?? object.apiVersion, time: timestampOf(this.clock.now()) };
    const subresource = options.subresource === undefined ? {} : { subresource: options.subresource };
    trackUpdate({
      old,
      object,
      entry: { ...entry, ...subresource },
      catalog: this.catalog,
      schema: this.registry.findKind(groupOf(object), object.kind)?.schema,
    });
  }
}

function groupOf(object: ApiObject): string {
  const slash = object.apiVersion.indexOf("/");
  return slash < 0 ? "" : object.apiVersion.slice(0, slash);
}

/** Empty maps and lists of the metadata are not shown. */
function dropEmpty(metadata: Meta): void {
  for (const field of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
    const value = metadata[field];
    if (value !== undefined && Object.keys(value).length === 0) delete metadata[field];
  }
}

function resetStatus(of: ResourceDefinition, object: ApiObject): void {
  if (of.custom) delete object["status"];
  else object["status"] = {};
}

/** What the request may change: all but status through the object itself, only status through `/status`, only its containers through `/ephemeralcontainers`. */
function mergeAllowed(
  of: ResourceDefinition,
  { old, input, subresource }: { readonly old: ApiObject; readonly input: ApiObject; readonly subresource: string | undefined },
): ApiObject {
  const fixed: Partial<Meta> = {};
  for (const field of [
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "namespace",
    "generateName",
  ] as const) {
    // Same field on both sides, so the value has the type of the field.
    if (old.metadata[field] !== undefined) Object.assign(fixed, { [field]: old.metadata[field] });
  }
  const { deletionTimestamp: _1, deletionGracePeriodSeconds: _2, generation: _3, ...free } = input.metadata;
  const metadata: Meta = {
    ...free,
    ...fixed,
    name: old.metadata.name,
    uid: old.metadata.uid,
    resourceVersion: old.metadata.resourceVersion,
    creationTimestamp: old.metadata.creationTimestamp,
  };
  dropEmpty(metadata);
  const base = { apiVersion: apiVersionOf({ group: of.group, version: of.storageVersion }), kind: of.kind };
  if (subresource === "status") {
    const { status: _, ...rest } = structuredClone(old);
    const annotations = metadata.annotations === undefined ? {} : { annotations: metadata.annotations };
    const { annotations: _4, ...plain } = rest.metadata;
    const managed = metadata.managedFields === undefined ? {} : { managedFields: metadata.managedFields };
    return {
      ...rest,
      ...base,
      metadata: { ...plain, ...annotations, ...managed },
      ...(input["status"] === undefined ? {} : { status: input["status"] }),
    };
  }
  if (subresource === "ephemeralcontainers") {
    const containers = listIn(input, "spec", "ephemeralContainers");
    const { ephemeralContainers: _5, ...spec } = treeIn(structuredClone(old), "spec");
    const managed = metadata.managedFields === undefined ? {} : { managedFields: metadata.managedFields };
    return {
      ...structuredClone(old),
      ...base,
      metadata: { ...structuredClone(old.metadata), ...managed },
      spec: containers.length === 0 ? spec : { ...spec, ephemeralContainers: [...containers] },
    };
  }
  if (!hasSubresource(of, "status")) return { ...input, ...base, metadata };
  const { status: _, ...rest } = input;
  const status = old["status"] === undefined ? {} : { status: structuredClone(old["status"]) };
  return { ...rest, ...base, metadata, ...status };
}

function hasChangedIntent(of: ResourceDefinition, old: ApiObject, object: ApiObject): boolean {
  if (NO_GENERATION.has(of.storage)) return false;
  const intent = ({ metadata: _1, status: _2, ...rest }: ApiObject): unknown => {
    if (of.storage !== "/pods") return rest;
    // Being given a node is no change of what is wanted.
    const { nodeName: _3, ...spec } = treeIn(rest, "spec");
    return spec;
  };
  return !isSame(intent(old), intent(object));
}

function withoutBookkeeping(object: ApiObject): unknown {
  const { resourceVersion: _1, managedFields: _2, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function isFinalized(of: ResourceDefinition, object: ApiObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return false;
  if (of.storage === "/namespaces") return listIn(object, "spec", "finalizers").length === 0;
  // A pod in its grace period is ended by its kubelet, not by an update.
  return of.storage !== "/pods" || (object.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
