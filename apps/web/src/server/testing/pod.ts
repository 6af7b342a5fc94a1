/** A pod that runs and is ready, for `StandInKas.put`. */
export function pod(name: string): Record<string, unknown> & { metadata: { name: string } } {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {},
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  };
}
