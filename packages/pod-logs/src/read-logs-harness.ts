import type { KubeTransport } from "@binnacle/environment-view/transport";
import type { LogPosition, LogSource, LogSourceState, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { nanosOf } from "@binnacle/proto/wire-values";
import { systemClock } from "@binnacle/rpc";

import { nodeExpressions } from "./expressions/node-expressions.ts";
import type { LogsQuery, LogsReader } from "./logs-query.ts";

/** For tests: all containers of a namespace from their beginning. */
export const QUERY: LogsQuery = {
  targets: [{ namespace: "n" }],
  containers: [],
  previous: false,
  follow: false,
  filter: {},
  positions: [],
};

/** Its thread ends with the tests of a file. */
const EXPRESSIONS = nodeExpressions(systemClock);

/** For tests: a reader that waits as short as it may. */
export function readerOf(transport: KubeTransport): LogsReader {
  return {
    transport,
    clock: systemClock,
    expressions: EXPRESSIONS,
    limits: { reads: 4, sources: 100, lineBytes: 64 * 1024, batchBytes: 64 * 1024 },
    random: () => 0,
  };
}

interface ShownInstance {
  readonly id: string;
  readonly restarts?: number;
  readonly previousId?: string;
  readonly startedAt?: string;
  readonly isTerminated?: boolean;
}

/** For tests: a pod with one container `web` per instance named. */
export function podJson(
  name: string,
  { id, restarts = 0, previousId, startedAt = "2026-01-01T00:00:00Z", isTerminated = false }: ShownInstance,
): { readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string } } & Record<string, unknown> {
  const state = isTerminated ? { terminated: { containerID: id, startedAt, exitCode: 0 } } : { running: { startedAt } };
  return {
    metadata: { name, namespace: "n", uid: `uid-${name}` },
    spec: { containers: [{ name: "web" }] },
    status: {
      containerStatuses: [
        {
          name: "web",
          containerID: id,
          restartCount: restarts,
          state,
          ...(previousId === undefined ? {} : { lastState: { terminated: { containerID: previousId, exitCode: 1 } } }),
        },
      ],
    },
  };
}

/** A line as it was read. */
export interface TalliedLine {
  readonly containerId: string;
  readonly line: { readonly timeNanos: bigint; readonly text: string };
  readonly isContext: boolean;
  readonly cutBytes: bigint;
}

/** For tests: what came of a stream. */
export class LogTally {
  readonly lines: TalliedLine[] = [];
  readonly gaps: { readonly after: bigint | undefined; readonly before: bigint | undefined }[] = [];
  readonly sources = new Map<number, LogSource>();
  readonly #positions = new Map<string, LogPosition>();
  readonly messages: ReadLogsResponse[] = [];
  #wake = (): void => {};

  add(message: ReadLogsResponse): void {
    this.messages.push(message);
    const { message: of } = message;
    if (of.case === "sources") for (const source of of.value.sources) this.sources.set(source.id, source);
    if (of.case === "gap") {
      const { after, before } = of.value;
      this.gaps.push({ after: after && nanosOf(after), before: before && nanosOf(before) });
    }
    if (of.case === "lines") {
      for (const { source, timeNanos, text, isContext, cutBytes } of of.value.lines) {
        const containerId = this.sources.get(source)?.containerId ?? "unknown";
        this.lines.push({ containerId, line: { timeNanos, text }, isContext, cutBytes });
      }
      for (const position of of.value.positions)
        this.#positions.set(`${position.pod}/${position.container}/${position.containerId}`, position);
    }
    this.#wake();
  }

  linesOf(containerId: string): readonly TalliedLine["line"][] {
    return this.lines.filter((one) => one.containerId === containerId).map(({ line }) => line);
  }

  get positions(): readonly LogPosition[] {
    return [...this.#positions.values()];
  }

  states(): LogSourceState[] {
    return [...this.sources.values()].map(({ state }) => state);
  }

  /** Settles when a message has made it so. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}
