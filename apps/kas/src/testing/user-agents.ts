/** User agents that were seen on the wire (fixtures/go-agents); `recorded-agents.test.ts` holds them against the bytes. */
export const RECORDED_USER_AGENT = {
  "14.1.1": "agentk/v14.1.1/00000000 grpc-go/1.39.0",
  "16.5.0": "gitlab-agent/v16.5.0/8daa08cc grpc-go/1.58.3",
} as const;

/** A user agent that was never recorded: what a release is assumed to send. No test may draw a conclusion about Go agents from it alone. */
export function assumedUserAgent(version: string, product: "agentk" | "gitlab-agent" | "gitlab-agent-agentk" = "gitlab-agent"): string {
  return `${product}/${version}/0000000 grpc-go/1.0.0`;
}
