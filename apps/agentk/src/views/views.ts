import { ByteBudget, HttpKubeClient, Informers } from "@binnacle/environment-view";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { OwnRequests } from "../cluster-access/own-requests.ts";
import type { AgentEvents } from "../agent-events/agent-events.ts";
import type { AgentCallReply } from "../reverse-tunnel/agent-call.ts";
import { ViewsCall } from "./call/views-call.ts";
import { OwnRights } from "./own-rights.ts";
import { accessReviewsVia } from "./rights/access-reviews.ts";
import { RightsBook } from "./rights/rights-book.ts";
import { RightsViews } from "./rights-views.ts";
import { RulesInForce } from "./rules/rules-in-force.ts";
import { Topics } from "./topics.ts";
import type { TransportAs } from "./viewer.ts";

/** What the objects of the cluster may weigh that are held for views. A view that finds no room is made elsewhere. */
const MAX_BYTES = 512 * 1024 * 1024;

/** What views are made of. */
interface ViewsOptions {
  readonly requests: OwnRequests;
  readonly clock: Clock;
  readonly log: Logger;
  /** Sent with events. */
  readonly agentEvents: AgentEvents;
}

/** The views of this agent. */
export interface Views {
  /** Answers a call of kas. */
  open(reply: AgentCallReply): ViewsCall;
  /** Takes leave of every kas. */
  close(): Promise<void>;
}

/** Prepares views: nothing is read before the first request for one. */
export async function openViews({ requests, clock, log, agentEvents }: ViewsOptions): Promise<Views> {
  const transport = await requests.transports();
  const transportAs: TransportAs = (identity) => transport({ part: "views", ...(identity && { identity }) });
  const own = transportAs(undefined);
  const informers = new Informers({ client: new HttpKubeClient(own, { clock }), clock, budget: new ByteBudget(MAX_BYTES), log });
  const stop = new AbortController();
  const { signal } = stop;
  const book = new RightsBook({ clock, signal });
  const rules = new RulesInForce(clock);
  const views = new RightsViews({ informers, rules, clock, log });
  const topics = new Topics({ informers, book, views, clock, agentEvents });
  const offer = new OwnRights(accessReviewsVia(own), clock, signal);
  const running = informers.run(signal);
  const calls = new Set<ViewsCall>();
  return {
    open(reply) {
      const ended = (): void => void calls.delete(call);
      const call: ViewsCall = new ViewsCall({ topics, rules, transportAs, clock, log, reply, offer, ended });
      calls.add(call);
      return call;
    },
    async close() {
      for (const call of calls) call.leave();
      topics.close();
      await views.close();
      stop.abort();
      await running;
    },
  };
}
