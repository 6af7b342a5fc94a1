import type { KubeObject } from "@binnacle/kube";

/** Kubernetes Events by the uid they are about. Events are never nodes. */
export class EventIndex {
  readonly #byTarget = new Map<string, Map<string, KubeObject>>();

  upsert(event: KubeObject): void {
    const target = aboutOf(event);
    const events = this.#byTarget.get(target) ?? new Map<string, KubeObject>();
    this.#byTarget.set(target, events);
    events.set(event.metadata.name, event);
  }

  remove(event: KubeObject): void {
    const target = aboutOf(event);
    const events = this.#byTarget.get(target);
    events?.delete(event.metadata.name);
    if (events?.size === 0) this.#byTarget.delete(target);
  }

  /** Events about the object with this uid, in no order. */
  of(uid: string): KubeObject[] {
    return [...(this.#byTarget.get(uid)?.values() ?? [])];
  }
}

/** The uid of what an Event is about; empty when it does not say. */
export function aboutOf(event: KubeObject): string {
  const about = event["involvedObject"];
  if (typeof about !== "object" || about === null || !("uid" in about)) return "";
  return typeof about.uid === "string" ? about.uid : "";
}
