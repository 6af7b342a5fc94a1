import type { ByteBudget } from "@binnacle/environment-view";

import type { AgentRecord, EnvironmentRecord } from "./environment-query.ts";
import type { HttpDialer } from "./http-dialer.ts";
import { KasKubeClient } from "./kas-kube-client.ts";
import type { ViewerAccess } from "./viewer-access.ts";

/** The newest agent configuration is broken; the last good one stays. */
export interface ConfigurationProblem {
  readonly reason: string;
  /** Empty when there is none. */
  readonly lastGoodCommit: string;
}

/** One viewer's way to one agent: a Kubernetes client, and what kas says about the agent's configuration beside it. */
export class KasAccess {
  /** Names the credential; two tabs of one session have the same. */
  readonly credentialKey: string;
  readonly agentId: bigint;
  readonly client: KasKubeClient;
  #configurationProblem: ConfigurationProblem | undefined;

  constructor(
    viewer: ViewerAccess,
    environment: EnvironmentRecord & { readonly agent: AgentRecord },
    { dialer, reading }: { readonly dialer: HttpDialer; readonly reading: ByteBudget },
  ) {
    this.credentialKey = viewer.key;
    this.agentId = environment.agent.id;
    const door = { projectPath: environment.projectPath, environmentNumber: environment.number, agentId: environment.agent.id };
    this.client = new KasKubeClient({
      dialer,
      reading,
      headers: (ask) => viewer.kasHeaders(door, ask),
      configurationError: (value) => {
        this.#configurationProblem = value === undefined ? undefined : parseConfigurationProblem(value);
      },
    });
  }

  /** As of this viewer's newest answer of kas. */
  get configurationProblem(): ConfigurationProblem | undefined {
    return this.#configurationProblem;
  }
}

/** `<reason>; last-good=<commit>` (docs/design/contract.md "Response headers"). */
export function parseConfigurationProblem(header: string): ConfigurationProblem {
  const found = /^(.*?)(?:;\s*last-good=([^;\s]*))?\s*$/s.exec(header);
  return { reason: found?.[1] ?? header, lastGoodCommit: found?.[2] ?? "" };
}
