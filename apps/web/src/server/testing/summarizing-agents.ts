import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HealthStatus } from "@binnacle/proto/dashboard";
import { ScopeSummarySchema, ViewUpdateSchema, type ViewSpecs } from "@binnacle/proto/kas-views";

import type { StandInKas } from "../kas/testing/stand-in-kas.ts";
import { toTimestamp } from "@binnacle/proto/wire-values";
import type { StandInEnvironment, StandInMainApplication } from "../gitlab/testing/stand-in-main-application.ts";

const STAGES: readonly Pick<StandInEnvironment, "name" | "tier">[] = [
  { name: "production", tier: "PRODUCTION" },
  { name: "staging", tier: "STAGING" },
  { name: "testing", tier: "TESTING" },
];

/** An environment of an agent, as an index shows it. */
interface Subscription {
  readonly response: ServerResponse;
  readonly topic: bigint;
}

/** Agents with so many environments each, whose health they tell themselves; all are healthy at first. They stand behind a stand-in of kas. */
export class SummarizingAgents {
  /** Answers that are open: one for all environments of an agent in one request. */
  readonly answers = new Set<ServerResponse>();
  /** Environments of the answers that are open. */
  get views(): number {
    return [...this.#views.values()].reduce((sum, count) => sum + count, 0);
  }

  /** How many environments each request had. */
  readonly requests: number[] = [];
  /** Nothing is answered, as while rights are being found out. */
  isSilent = false;
  readonly #views = new Map<ServerResponse, number>();
  /** Agents that accept requests and tell nothing at first. */
  readonly slow = new Set<number>();
  /** Agents whose summaries cannot be read. */
  readonly lying = new Set<number>();
  /** The open answers by namespace: one for each identity. */
  readonly #subscriptions = new Map<string, Set<Subscription>>();

  constructor(
    world: { readonly main: StandInMainApplication; readonly kas: StandInKas },
    { agents, each, projects = 0 }: { agents: number; each: number; projects?: number },
  ) {
    const { main, kas } = world;
    const ids = Array.from({ length: agents }, (_, index) => 100 + index);
    for (const id of ids) kas.agents.add(String(id));
    main.environments = ids.flatMap((agentId, at) =>
      Array.from({ length: each }, (_, index) => ({
        id: at * each + index + 1,
        name: `env-${agentId}-${index}`,
        namespace: `ns-${agentId}-${index}`,
        agentId,
        agentName: `cluster-${agentId}`,
      })),
    );
    if (projects > 0) this.#spread(main, projects);
    kas.manyViews = (specs, response) => this.#answer(specs, response);
  }

  /** Changes the health of a namespace. @throws Error when it was not requested */
  tell(namespace: string, status: HealthStatus): void {
    const subscriptions = this.#subscriptions.get(namespace);
    if (subscriptions === undefined) throw new Error(`${namespace} was not requested`);
    for (const subscription of subscriptions)
      if (this.answers.has(subscription.response)) say(subscription, status, false);
      else subscriptions.delete(subscription);
  }

  /** The environments in so many projects of twenty groups, each with tiers and a commit of its own. */
  #spread(main: StandInMainApplication, count: number): void {
    const byProject = new Map<string, StandInEnvironment[]>();
    for (const [index, environment] of main.environments.entries()) {
      const project = index % count;
      const path = `group-${project % 20}/project-${project}`;
      const place = Math.floor(index / count);
      const stage = STAGES[place] ?? { name: `review/${place}`, tier: "DEVELOPMENT" };
      const sha = createHash("sha256")
        .update(`${project} ${Math.floor(place / 2)}`)
        .digest("hex")
        .slice(0, 40);
      const deployment = { iid: "1", ref: "main", tag: false, sha, status: "SUCCESS", finishedAt: "2026-11-28T10:00:00Z" };
      const environments = byProject.get(path) ?? [];
      environments.push({
        ...environment,
        ...stage,
        deployment: { ...deployment, commit: { title: "Change", webUrl: null, authorName: "Ann" } },
      });
      byProject.set(path, environments);
    }
    for (const [path, environments] of byProject) main.groups.projects.set(path, environments);
  }

  #answer({ views }: ViewSpecs, response: ServerResponse): void {
    this.requests.push(views.length);
    this.answers.add(response);
    this.#views.set(response, views.length);
    response.on("close", () => {
      this.answers.delete(response);
      this.#views.delete(response);
    });
    if (this.isSilent) return;
    response.writeHead(200, { "content-type": "application/vnd.binnacle.views+proto" });
    for (const [index, { view }] of views.entries()) {
      const subscription = { response, topic: BigInt(index + 1) };
      const namespace = view.case === "summary" ? view.value.scope?.namespaces[0] : undefined;
      if (namespace !== undefined) this.#subscriptions.set(namespace, (this.#subscriptions.get(namespace) ?? new Set()).add(subscription));
      const agentId = Number(/^ns-(\d+)-/.exec(namespace ?? "")?.[1]);
      if (this.lying.has(agentId)) write(subscription, Buffer.from([0xff]), true);
      else if (!this.slow.has(agentId)) say(subscription, HealthStatus.HEALTHY, true);
    }
  }
}

function say(subscription: Subscription, status: HealthStatus, reset: boolean): void {
  const images = [{ image: "registry.example.com/team/web:1.4.2", workloads: 3, since: toTimestamp(Date.parse("2026-11-28T10:00:00Z")) }];
  const summary: MessageInitShape<typeof ScopeSummarySchema> = { health: { status }, workloads: 4, workloadsReady: 4, images };
  write(subscription, toBinary(ScopeSummarySchema, create(ScopeSummarySchema, summary)), reset);
}

function write({ response, topic }: Subscription, value: Uint8Array, reset: boolean): void {
  const update = toBinary(ViewUpdateSchema, create(ViewUpdateSchema, { topic, reset, entries: [{ key: "summary", value }] }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(update.byteLength);
  response.write(Buffer.concat([length, update]));
}
