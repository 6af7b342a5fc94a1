import { equals } from "@bufbuild/protobuf";
import { ServiceOptionsSchema, type ServiceOptions } from "@binnacle/proto/agent-options";

import { ServiceRefusal } from "./service-refusal.ts";

/** The services that the agent's configuration allows now, and who uses them. */
export class ServiceEntries {
  #entries: ReadonlyMap<string, ServiceOptions> = new Map();
  readonly #users = new Map<AbortController, ServiceOptions>();

  /** Takes a configuration: requests that began by an entry that is gone, or is another one now, end. */
  configure(services: readonly ServiceOptions[]): void {
    this.#entries = new Map(services.map((entry) => [entry.name, entry]));
    for (const [stop, entry] of this.#users) {
      const now = this.#entries.get(entry.name);
      if (now !== undefined && equals(ServiceOptionsSchema, now, entry)) continue;
      stop.abort(new ServiceRefusal("service_withdrawn", `the agent's configuration of service ${entry.name} has changed; ask again`));
    }
  }

  get(name: string): ServiceOptions | undefined {
    return this.#entries.get(name);
  }

  /** Somebody uses the entry. @returns says that he has ended */
  using(entry: ServiceOptions, stop: AbortController): () => void {
    this.#users.set(stop, entry);
    return () => void this.#users.delete(stop);
  }
}
