import type { ServerResponse } from "node:http";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HealthStatus } from "@binnacle/proto/dashboard";
import { ScopeSummarySchema, ViewUpdateSchema, type ViewSpecs } from "@binnacle/proto/kas-views";

import type { StandInKas } from "../kas/testing/stand-in-kas.ts";
import type { StandInMainApplication } from "../gitlab/testing/stand-in-main-application.ts";

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
  /** The open answers by namespace. */
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(
    world: { readonly main: StandInMainApplication; readonly kas: StandInKas },
    { agents, each }: { agents: number; each: number },
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
      })),
    );
    kas.manyViews = (specs, response) => this.#answer(specs, response);
  }

  /** Changes the health of a namespace. @throws Error when it was not requested */
  tell(namespace: string, status: HealthStatus): void {
    const subscription = this.#subscriptions.get(namespace);
    if (subscription === undefined) throw new Error(`${namespace} was not requested`);
    say(subscription, status, false);
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
      if (namespace !== undefined) this.#subscriptions.set(namespace, subscription);
      say(subscription, HealthStatus.HEALTHY, true);
    }
  }
}

function say({ response, topic }: Subscription, status: HealthStatus, reset: boolean): void {
  const summary: MessageInitShape<typeof ScopeSummarySchema> = { health: { status }, workloads: 4, workloadsReady: 4 };
  const value = toBinary(ScopeSummarySchema, create(ScopeSummarySchema, summary));
  const update = toBinary(ViewUpdateSchema, create(ViewUpdateSchema, { topic, reset, entries: [{ key: "summary", value }] }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(update.byteLength);
  response.write(Buffer.concat([length, update]));
}
