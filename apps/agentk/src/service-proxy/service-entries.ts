import { equals } from "@bufbuild/protobuf";
import { ServiceOptionsSchema, type ServiceOptions, type ServiceRoles } from "@binnacle/proto/agent-options";
import type { ServiceCaller, ServiceMembership } from "@binnacle/proto/service-proxy";

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

  /** Registers a request by an entry. @returns call it when the request has ended */
  using(entry: ServiceOptions, stop: AbortController): () => void {
    this.#users.set(stop, entry);
    return () => void this.#users.delete(stop);
  }
}

/** Whether the entry lets this caller send arbitrary requests: by name, or by a role in a group or project. */
export function maySendRaw({ raw }: ServiceOptions, caller: ServiceCaller | undefined): boolean {
  if (raw === undefined || caller === undefined) return false;
  const isNamed = caller.username !== "" && raw.users.includes(caller.username);
  return isNamed || hasRole(raw.groups, caller.groups) || hasRole(raw.projects, caller.projects);
}

function hasRole(wanted: readonly ServiceRoles[], held: readonly ServiceMembership[]): boolean {
  return wanted.some(({ id, roles }) => held.some((one) => one.id === id && one.roles.some((role) => roles.includes(role))));
}

/** The same error for an entry that does not exist and one for other users: no caller learns which services exist. */
export function notAllowed(name: string): ServiceRefusal {
  return new ServiceRefusal(
    "service_not_allowed",
    `the agent's configuration allows you no service ${JSON.stringify(name)} (services in binnacle.yaml; raw of its entry says who may send requests)`,
  );
}
