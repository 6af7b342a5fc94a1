import type { ServiceOptions, ServiceRoles } from "@binnacle/proto/agent-options";
import type { ServiceCaller, ServiceMembership } from "@binnacle/proto/service-proxy";

import { ServiceRefusal } from "./service-refusal.ts";

/** Whether the entry lets this caller send requests of his own: by name, or by a role in a group or project. */
export function maySendRaw({ raw }: ServiceOptions, caller: ServiceCaller | undefined): boolean {
  if (raw === undefined || caller === undefined) return false;
  const isNamed = caller.username !== "" && raw.users.includes(caller.username);
  return isNamed || hasRole(raw.groups, caller.groups) || hasRole(raw.projects, caller.projects);
}

function hasRole(wanted: readonly ServiceRoles[], held: readonly ServiceMembership[]): boolean {
  return wanted.some(({ id, roles }) => held.some((one) => one.id === id && one.roles.some((role) => roles.includes(role))));
}

/** One sentence for an entry that is not there and one that is for others: nobody learns which services there are. */
export function notAllowed(name: string): ServiceRefusal {
  return new ServiceRefusal(
    "service_not_allowed",
    `the agent's configuration allows you no service ${JSON.stringify(name)} (services in binnacle.yaml; raw of its entry says who may send requests)`,
  );
}
