import { sleep } from "@binnacle/rpc";

import { reviewAccess, type RequestedRight } from "../../cluster-access/access-review.ts";
import type { CallMetadata } from "../../kas-link/call-metadata.ts";
import type { OwnRequests } from "../../cluster-access/own-requests.ts";
import { createClusterApi, isOk, refusal, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import { type SyncReporterOptions, SyncReporter } from "../report/sync-reporter.ts";
import type { CommitSourceOptions } from "./commit-source.ts";
import { Lease, runHolding, type LeaseNotes } from "./lease.ts";
import type { ProjectOptions } from "./project-options.ts";
import { ProjectWorker } from "./project-worker.ts";
import { InventoryLocations, TooLargeCommits } from "./project-records.ts";

/** Rights that are missing may be given later. */
const ASK_AGAIN_MS = 60_000;

/** What GitOps needs of the agent. */
export interface AgentGitopsOptions extends Omit<CommitSourceOptions, "project" | "link">, Pick<SyncReporterOptions, "link"> {
  readonly metadata: CallMetadata;
  readonly requests: OwnRequests;
  /** Namespace of our Pod; empty outside of a cluster. */
  readonly podNamespace: string;
}

/** Manifest projects of one configuration. */
export interface GitopsConfiguration {
  readonly agentId: bigint;
  readonly projects: readonly ProjectOptions[];
}

/** What is needed to tell of them. */
interface ForbiddenProjectsOptions extends Omit<SyncReporterOptions, "project"> {
  readonly projects: readonly SyncReporterOptions["project"][];
}

/** Applies the projects of a configuration until the signal aborts: in one replica of the agent, and only with the rights for it. */
export async function runGitops(configuration: GitopsConfiguration, options: AgentGitopsOptions, signal: AbortSignal): Promise<void> {
  const { clock, metadata, requests } = options;
  const { agentId, projects } = configuration;
  const api = createClusterApi(await requests.transport({ part: "gitops" }));
  const namespace = options.podNamespace === "" ? "default" : options.podNamespace;
  const rights = rightsNeeded({ leaseNamespace: namespace, inventoryNamespaces: projects.map(({ defaultNamespace }) => defaultNamespace) });
  await untilAllowed({ ...options, api, rights, projects }, signal);
  // A Lease that waits behind manifests is lost.
  const leaseApi = createClusterApi(await requests.transport({ part: "gitops", isUrgent: true }));
  const records = { tooLarge: new TooLargeCommits(), inventories: new InventoryLocations() };
  const leaseOf = (name: string, notes: readonly LeaseNotes[] = []): Lease =>
    new Lease({ api: leaseApi, clock, namespace, name, holder: metadata.instance, notes });
  const act = async (held: AbortSignal): Promise<void> => {
    options.log.info({ projects: projects.length }, "this replica applies manifests");
    for (const each of Object.values(records)) each.keepOnly(projects);
    await Promise.all(projects.map((project) => new ProjectWorker({ ...options, api, agentId, project, ...records }).run(held)));
  };
  // GitLab's agent takes the first one since 16.5, earlier releases of this one the second.
  await runHolding([leaseOf(`agent-${agentId}-lock`), leaseOf(`agentk-gitops-${agentId}`, Object.values(records))], act, signal);
}

/** What a check of rights needs. */
interface RightsCheck extends AgentGitopsOptions {
  readonly api: ReturnType<typeof createClusterApi>;
  readonly rights: ReturnType<typeof rightsNeeded>;
  readonly projects: readonly ProjectOptions[];
}

/** Settles when nothing is missing, or the signal aborts. What is missing is logged once, and reported to kas. */
async function untilAllowed(by: RightsCheck, signal: AbortSignal): Promise<void> {
  const allowed = new AbortController();
  const forbidden = new ForbiddenProjects(by);
  const telling = forbidden.run(AbortSignal.any([signal, allowed.signal]));
  let reported = "";
  while (!signal.aborted) {
    const reason = await whyNotAllowed(by, signal);
    if (reason === "" || signal.aborted) break;
    if (reason !== reported) {
      by.log.warn({ reason }, "manifests are not applied");
      forbidden.say(reason);
    }
    reported = reason;
    await sleep(by.clock, ASK_AGAIN_MS, signal);
  }
  allowed.abort();
  await telling;
}

async function whyNotAllowed(by: RightsCheck, signal: AbortSignal): Promise<string> {
  try {
    const missing = await rightsMissing(by.rights, { api: by.api, signal });
    if (missing.length === 0) return "";
    return `the agent may not ${missing.map(({ verb, resource, namespace }) => `${verb} ${resource} in ${namespace}`).join(", ")}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Tells kas of all projects of an agent that it may not apply them, while that is so. */
class ForbiddenProjects {
  readonly #reporters: readonly SyncReporter[];

  constructor({ projects, ...options }: ForbiddenProjectsOptions) {
    this.#reporters = projects.map((project) => new SyncReporter({ ...options, project }));
  }

  /** This is missing. */
  say(reason: string): void {
    for (const { status } of this.#reporters) status.forbidden(reason);
  }

  /** Tells until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#reporters.map((reporter) => reporter.run(signal)));
  }
}

/** Rights for the Lease, and for the inventory of each namespace. Rights for what is applied are the API server's to tell, object by object. */
function rightsNeeded(of: { readonly leaseNamespace: string; readonly inventoryNamespaces: readonly string[] }): readonly RequestedRight[] {
  const lease = ["get", "create", "update"].map((verb) => ({
    verb,
    group: "coordination.k8s.io",
    resource: "leases",
    namespace: of.leaseNamespace,
  }));
  const inventories = [...new Set(of.inventoryNamespaces)].flatMap((namespace) =>
    ["get", "list", "create", "patch"].map((verb) => ({ verb, group: "", resource: "configmaps", namespace })),
  );
  return [...lease, ...inventories];
}

/** Those of the rights that the agent does not have. @throws Fault `cluster_unavailable` when the cluster does not answer */
async function rightsMissing(
  rights: readonly RequestedRight[],
  by: { readonly api: ClusterApi; readonly signal: AbortSignal },
): Promise<readonly RequestedRight[]> {
  const missing: RequestedRight[] = [];
  for (const right of rights) {
    const { answer, isAllowed } = await reviewAccess(by.api, right, by.signal);
    if (!isOk(answer)) throw refusal("the agent's rights cannot be requested", answer);
    if (!isAllowed) missing.push(right);
  }
  return missing;
}
