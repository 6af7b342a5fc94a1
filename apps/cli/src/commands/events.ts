import type { EnvironmentEvent, WatchEventsResponse } from "@binnacle/proto/dashboard";
import { nameOfRef } from "@binnacle/presentation/health/why-words";
import { formatSecond, millisOf } from "@binnacle/presentation/text/format-time";
import { messageText } from "@binnacle/presentation/text/messages";
import { markInvisible } from "@binnacle/words";
import { Backoff, sleep } from "@binnacle/rpc";

import { isWorthAnother } from "../connection/clients.ts";
import { environmentOf, withSession, type NamedEnvironment, type Session } from "../connection/session.ts";
import { formatOf, timeText, writeRecord } from "../output/documents.ts";
import { stylesOf } from "../output/styles.ts";
import type { CommandCall, CommandSpec } from "../program/command.ts";
import { ENVIRONMENT, OUTPUT, PROJECT } from "../program/common-options.ts";
import { CommandFailure, EXIT } from "../program/exit-codes.ts";

/** Events are listed within so long, or what came is all. */
const LIST_MS = 15_000;
const RETRY = { initialMs: 1_000, maxMs: 10_000 };

/** `binnacle events`. */
export const EVENTS: CommandSpec = {
  name: "events",
  summary: "List the events of an environment, or follow them",
  arguments: [ENVIRONMENT],
  options: [PROJECT, OUTPUT, { name: "follow", short: "f", help: "go on with new events until Ctrl-C" }],
  examples: ["binnacle events production", "binnacle events production --follow -o json"],
  run: (call) => withSession(call, (session) => run(call, session, environmentOf(call, session.settings))),
};

async function run(call: CommandCall, session: Session, named: NamedEnvironment): Promise<number> {
  const { terminal, options } = call;
  const isFollowing = options.has("follow");
  const reader = new EventReader(call);
  const backoff = new Backoff(RETRY);
  const topic = { id: 1, topic: { case: "events" as const, value: named } };
  while (!terminal.signal.aborted) {
    const enough = new AbortController();
    const cancel = isFollowing ? undefined : terminal.clock.after(LIST_MS, () => enough.abort());
    let hasBegun = false;
    try {
      const signal = AbortSignal.any([terminal.signal, enough.signal]);
      // One attempt after the other.
      // oxlint-disable-next-line no-await-in-loop
      for await (const { message } of session.clients.dashboard.watch({ topics: [topic] }, { signal })) {
        hasBegun = true;
        backoff.reset();
        if (message.case !== "events") continue;
        reader.take(message.value);
        if (!isFollowing && message.value.state?.complete === true) break;
      }
      if (!isFollowing) break;
    } catch (error) {
      if (terminal.signal.aborted || enough.signal.aborted) break;
      if (!isFollowing || !isWorthAnother(error, hasBegun)) throw error;
    } finally {
      cancel?.();
    }
    // oxlint-disable-next-line no-await-in-loop
    await sleep(terminal.clock, backoff.nextMs(), terminal.signal);
  }
  if (terminal.isInterrupted()) return EXIT.interrupted;
  if (!isFollowing) reader.writeAll();
  return EXIT.ok;
}

/** Writes each event once, and again when it was repeated. */
class EventReader {
  readonly #call: CommandCall;
  readonly #events = new Map<string, EnvironmentEvent>();
  readonly #written = new Map<string, string>();

  constructor(call: CommandCall) {
    this.#call = call;
  }

  take(message: WatchEventsResponse): void {
    if (message.problem !== undefined && message.problem.words !== undefined) throw new CommandFailure(messageText(message.problem.words));
    if (message.reset) this.#events.clear();
    for (const id of message.removed) this.#events.delete(id);
    for (const event of message.upserted) this.#events.set(event.id, event);
    if (this.#call.options.has("follow")) for (const event of inOrder(message.upserted)) this.#write(event);
  }

  writeAll(): void {
    for (const event of inOrder([...this.#events.values()])) this.#write(event);
  }

  #write({ id, event }: EnvironmentEvent): void {
    if (event === undefined) return;
    const { terminal, options } = this.#call;
    const lastMs = event.lastAt === undefined ? undefined : millisOf(event.lastAt);
    const state = `${event.count} ${lastMs ?? 0}`;
    // After a break of the stream all that there is comes again.
    if (this.#written.get(id) === state) return;
    this.#written.set(id, state);
    const format = formatOf(options);
    if (format !== "table") {
      const { type, reason, message, count, source, regarding } = event;
      const of = { kind: regarding?.kind ?? "", namespace: regarding?.namespace ?? "", name: regarding?.name ?? "" };
      writeRecord(terminal, format, { time: timeText(lastMs), type, reason, message, count, source, regarding: of });
      return;
    }
    const styles = stylesOf(terminal);
    const reason = event.type === "Warning" ? styles.look("degraded", event.reason) : event.reason;
    const time = lastMs === undefined ? "" : `${formatSecond(lastMs, terminal.clock.now())}  `;
    const times = event.count > 1 ? ` (${event.count}×)` : "";
    terminal.write(`${time}${nameOfRef(event.regarding)}  ${reason}: ${markInvisible(event.message).replaceAll("\n", " ")}${times}\n`);
  }
}

function inOrder(events: readonly EnvironmentEvent[]): readonly EnvironmentEvent[] {
  const at = ({ event }: EnvironmentEvent): number => (event?.lastAt === undefined ? 0 : millisOf(event.lastAt));
  return events.toSorted((left, right) => at(left) - at(right));
}
