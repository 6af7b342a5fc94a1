import type { Clock } from "@binnacle/rpc";

import { ApiError } from "../api-error.ts";
import { controllerOf, controllerReference, timestampOf, type ApiObject } from "../api-object.ts";
import { isSame, type Tree } from "../json-tree.ts";
import type { LabelMatcher } from "../label-selector.ts";
import type { DeleteOptions, ObjectWriter } from "../object-writer.ts";
import type { ResourceDefinition } from "../resource-definition.ts";
import { EventRecorder, type EventText } from "./event-recorder.ts";

/** An object to be made: no identity yet. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Tree;
  readonly [field: string]: unknown;
}

/** The cluster as controllers use it: `storage` is `group/plural`. Reads and writes are synchronous. */
export class Cluster {
  readonly writer: ObjectWriter;
  readonly #events: EventRecorder;

  constructor(writer: ObjectWriter) {
    this.writer = writer;
    this.#events = new EventRecorder(writer);
  }

  get clock(): Clock {
    return this.writer.clock;
  }

  /** The current time as Kubernetes writes it. */
  timestamp(): string {
    return timestampOf(this.clock.now());
  }

  get(storage: string, namespace: string | undefined, name: string): ApiObject | undefined {
    return this.writer.store.get(storage, namespace, name);
  }

  list(storage: string, namespace?: string): ApiObject[] {
    return this.writer.store.list(storage, namespace);
  }

  /** Objects of a table that `owner` controls, oldest first; those of one second by name, as the controllers of Kubernetes do. */
  controlled(storage: string, owner: ApiObject): ApiObject[] {
    const uid = owner.metadata.uid;
    const own = this.writer.store.dependentsOf(uid).filter((one) => one.storage === storage && controllerOf(one.object)?.uid === uid);
    const ageOf = ({ metadata }: ApiObject): string => `${metadata.creationTimestamp} ${metadata.name}`;
    return own.map((one) => one.object).sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  }

  /** Takes over objects that match and have no controller: what an orphaning delete left behind. */
  adopt(storage: string, owner: ApiObject, matches: LabelMatcher): void {
    for (const object of this.list(storage, owner.metadata.namespace)) {
      if (controllerOf(object) || object.metadata.deletionTimestamp !== undefined || !matches(object.metadata.labels)) continue;
      const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerReference(owner)];
      this.update(storage, { ...object, metadata: { ...object.metadata, ownerReferences } });
    }
  }

  /** Creates an object; one that exists already, or a namespace that ends, gives `undefined`. */
  create(storage: string, object: NewObject): ApiObject | undefined {
    try {
      // The writer gives it an identity; nothing reads the metadata before.
      return this.writer.create(this.#of(storage), object as unknown as ApiObject);
    } catch (error) {
      if (error instanceof ApiError && [403, 404, 409].includes(error.body.code)) return undefined;
      throw error;
    }
  }

  /** Replaces an object that was just read. */
  update(storage: string, object: ApiObject): ApiObject {
    return this.writer.update(this.#of(storage), object);
  }

  /** Writes the status (and, with it, annotations), when it differs. */
  updateStatus(storage: string, object: ApiObject, status: Tree): ApiObject {
    const annotations = this.get(storage, object.metadata.namespace, object.metadata.name)?.metadata.annotations;
    if (isSame(object["status"], status) && isSame(annotations, object.metadata.annotations)) return object;
    return this.writer.update(this.#of(storage), { ...object, status }, { subresource: "status" });
  }

  /** Deletes an object; one that is gone already is fine. */
  delete(storage: string, object: ApiObject, options: DeleteOptions = {}): void {
    if (this.get(storage, object.metadata.namespace, object.metadata.name)?.metadata.uid !== object.metadata.uid) return;
    this.writer.delete(this.#of(storage), object, options);
  }

  /** Records an Event about an object. */
  record(about: ApiObject, text: EventText): void {
    this.#events.record(about, text);
  }

  #of(storage: string): ResourceDefinition {
    const of = this.writer.registry.findStorage(storage);
    if (!of) throw new Error(`nothing is served as ${storage}`);
    return of;
  }
}
