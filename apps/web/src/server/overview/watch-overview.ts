import { Throttle } from "@binnacle/environment-view";
import {
  OverviewGroupSchema,
  OverviewRowSchema,
  OverviewTotalsSchema,
  WatchOverviewResponseSchema,
  type WatchOverviewResponse,
} from "@binnacle/proto/dashboard-overview";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { overviewPath } from "../../features/address/route-path.ts";
import { Signal } from "../base/signal.ts";
import { toViewer } from "../environment/environment-messages.ts";
import { unauthenticated } from "../environment/problem.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { OverviewFeed, type OverviewChange, type OverviewFeedContext } from "./overview-feed.ts";

/** What an overview is watched with. */
export type OverviewContext = OverviewFeedContext;

const HEARTBEAT_MS = 10_000;
/** As of an index: changes are sent twice a second on average, the first of them at once. */
const ROW_LIMITS = { intervalMs: 500, burst: 4, gapMs: 20 };
/** Rows of one message. */
const MAX_ROWS = 200;

/** What is watched. */
interface OverviewRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  /** Full path of a group; empty: all projects of the viewer. */
  readonly group: string;
}

type Init = Omit<MessageInitShape<typeof WatchOverviewResponseSchema>, "$typeName" | "sentAt">;

/** Environments of all projects of a viewer, or of a group: as far as they are known at once, the worst first, and then what changes. */
export async function* watchOverview(
  context: OverviewContext,
  { viewerAccess, group }: OverviewRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchOverviewResponse> {
  const { clock, log, signInUrl } = context;
  const returnPath = overviewPath(group);
  const message = (init: Init): WatchOverviewResponse => create(WatchOverviewResponseSchema, { ...init, sentAt: toTimestamp(clock.now()) });
  if (viewerAccess === undefined) {
    yield message({ problem: unauthenticated(signInUrl(returnPath)) });
    return;
  }
  const wake = new Signal();
  const throttle = new Throttle(clock, ROW_LIMITS, wake.raise);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const feed = new OverviewFeed(context, { viewerAccess, group, returnPath, changed: () => throttle.ask(), signal: until });
  until.addEventListener("abort", wake.raise, { once: true });
  let failure: unknown;
  const running = feed.run().catch((error: unknown) => {
    log.error({ error }, "an overview failed");
    failure = error;
    wake.raise();
  });
  const sent = new SentState();
  try {
    while (!signal.aborted) {
      const cancel = clock.after(HEARTBEAT_MS, wake.raise);
      await wake.wait();
      cancel();
      if (signal.aborted) return;
      if (failure !== undefined) throw failure;
      const { problem } = feed;
      if (problem?.isPassing === false) {
        yield message({ problem: problem.problem });
        return;
      }
      // A main application that is away for a moment takes nothing from what is on the screen.
      if (problem !== undefined && feed.isListing) yield message({ problem: problem.problem });
      else for (const init of sent.messagesOf(feed.take())) yield message(init);
    }
  } finally {
    until.removeEventListener("abort", wake.raise);
    over.abort();
    feed.close();
    throttle.stop();
    await running;
  }
}

/** What one stream has sent: totals and the viewer are sent when they are others. */
class SentState {
  #totals = "";
  #username = "";

  /** Messages of a change; one without content when nothing has changed. */
  messagesOf({ rows, removed, seen, totals, viewer, groups }: OverviewChange): readonly Init[] {
    const totalsText = JSON.stringify(totals);
    const rest: Init = {
      removed: [...removed],
      seen: [...seen],
      groups: groups.map(({ fullPath, name }) => create(OverviewGroupSchema, { fullPath, name })),
      ...(totalsText !== this.#totals && { totals: create(OverviewTotalsSchema, totals) }),
      ...(viewer !== undefined && viewer.username !== this.#username && { viewer: toViewer(viewer, undefined) }),
    };
    this.#totals = totalsText;
    this.#username = viewer?.username ?? this.#username;
    const messages: Init[] = [];
    for (let from = 0; from < rows.length; from += MAX_ROWS)
      messages.push({ rows: rows.slice(from, from + MAX_ROWS).map(({ id, row }) => create(OverviewRowSchema, { id, row })) });
    const [first = {}, ...others] = messages;
    // Whatever left goes before what is new.
    return [{ ...first, ...rest }, ...others];
  }
}
