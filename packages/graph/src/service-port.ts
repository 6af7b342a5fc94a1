import { listAt, numberAt, textAt, type KubeObject } from "@binnacle/kube";

/** Whether a Service has ports, but not this one, by name or number. */
export function lacksPort(service: KubeObject, port: string | number): boolean {
  const ports = listAt(service["spec"], "ports");
  return ports.length > 0 && !ports.some((each) => textAt(each, "name") === port || numberAt(each, "port") === port);
}
