import type { AgentDescriptor } from "@binnacle/proto/reverse-tunnel-info";
import { Fault } from "@binnacle/rpc";

const MAX_SERVICES = 256;
const MAX_METHODS = 64;
const MAX_INTERNED = 1_000;

/** What an agent can be asked: full method names, "/service/Method". */
export type Capabilities = ReadonlySet<string>;

const interned = new Map<string, Capabilities>();

/**
 * Methods of a descriptor. Equal descriptors give the same object, so that thousands of tunnels share a few sets.
 *
 * @throws Fault `invalid_request` beyond 256 services or 64 methods of one service
 */
export function capabilitiesOf(descriptor: AgentDescriptor): Capabilities {
  if (descriptor.services.length > MAX_SERVICES)
    throw new Fault("invalid_request", `a descriptor may have ${MAX_SERVICES} services, not ${descriptor.services.length}`);
  const methods: string[] = [];
  for (const service of descriptor.services) {
    if (service.methods.length > MAX_METHODS)
      throw new Fault("invalid_request", `a service may have ${MAX_METHODS} methods, not ${service.methods.length}`);
    for (const method of service.methods) methods.push(`/${service.name}/${method.name}`);
  }
  const key = methods.toSorted().join("\n");
  const known = interned.get(key);
  if (known) return known;
  const capabilities = new Set(methods);
  if (interned.size < MAX_INTERNED) interned.set(key, capabilities);
  return capabilities;
}
