import { aboutOf } from "@binnacle/graph";
import { encodeKey, keyOf, type KubeObject } from "@binnacle/kube";

/** Kubernetes Events by what they are about: by its uid, or by its name where they give none. Events are never nodes. */
export class EventIndex {
  readonly #byTarget = new Map<string, Map<string, KubeObject>>();

  upsert(event: KubeObject): void {
    const target = targetOf(event);
    const events = this.#byTarget.get(target) ?? new Map<string, KubeObject>();
    this.#byTarget.set(target, events);
    events.set(event.metadata.name, event);
  }

  remove(event: KubeObject): void {
    const target = targetOf(event);
    const events = this.#byTarget.get(target);
    events?.delete(event.metadata.name);
    if (events?.size === 0) this.#byTarget.delete(target);
  }

  /** All of them, in no order. */
  *all(): Generator<KubeObject> {
    for (const events of this.#byTarget.values()) yield* events.values();
  }

  /** Events about what has this uid, or is called so (`encodeKey`), in no order. */
  of(uidOrKey: string): KubeObject[] {
    return [...(this.#byTarget.get(uidOrKey)?.values() ?? [])];
  }

  /** Events about an object, in no order. */
  about(object: KubeObject): KubeObject[] {
    const { uid } = object.metadata;
    return [...(uid === undefined ? [] : this.of(uid)), ...this.of(encodeKey(keyOf(object)))];
  }
}

function targetOf(event: KubeObject): string {
  const target = aboutOf(event);
  if (target === undefined) return "";
  return target.uid === "" ? encodeKey(target.key) : target.uid;
}
