import {
  EnvironmentRowSchema,
  WatchEnvironmentsResponseSchema,
  type EnvironmentRow,
  type Viewer,
  type WatchEnvironmentsResponse,
} from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { create } from "@bufbuild/protobuf";
import { isOfAnotherUser } from "../same-view.ts";
import type { LiveMessage } from "./live-topic.ts";
import type { TopicReplica } from "./stream-hub.ts";

/** What is known of a project's environments: the rows as they came last. An index begins anew with every stream. */
export class EnvironmentsReplica implements TopicReplica<LiveMessage, never> {
  readonly #rows = new Map<string, EnvironmentRow>();
  #viewer: Viewer | undefined;
  #last: WatchEnvironmentsResponse | undefined;
  #complete = false;
  /** Nothing that is complete has come of the stream of now. */
  #isAwaited = true;
  #atMs = 0;
  #heldAtMs = 0;

  take({ answer, atMs, first }: LiveMessage): boolean {
    if (answer.case !== "environments") return true;
    const message = answer.value;
    this.#isAwaited ||= first;
    if (message.viewer !== undefined && isOfAnotherUser(this.#viewer, message.viewer)) this.#forget();
    if (this.#isAwaited && message.complete) {
      this.#rows.clear();
      this.#isAwaited = false;
    }
    for (const name of message.removed) this.#rows.delete(name);
    for (const row of message.rows) this.#rows.set(row.environment?.name ?? "", row);
    for (const { names, asOf } of message.seen) {
      for (const name of names) {
        const row = this.#rows.get(name);
        if (row !== undefined && asOf !== undefined) this.#rows.set(name, create(EnvironmentRowSchema, { ...row, asOf }));
      }
    }
    this.#viewer = message.viewer ?? this.#viewer;
    this.#complete ||= message.complete;
    this.#last = message;
    this.#atMs = atMs;
    if (!this.#isAwaited) this.#heldAtMs = atMs;
    return message.problem === undefined || message.problem.kind === ProblemKind.UNAVAILABLE;
  }

  whole(): readonly LiveMessage[] {
    if (this.#last === undefined) return [];
    const { problem, sentAt } = this.#last;
    const value = create(WatchEnvironmentsResponseSchema, {
      rows: [...this.#rows.values()],
      complete: this.#complete,
      ...(this.#viewer && { viewer: this.#viewer }),
      ...(problem && { problem }),
      ...(sentAt && { sentAt }),
    });
    return [{ atMs: this.#atMs, first: true, answer: { case: "environments", value } }];
  }

  /** Somebody else has signed in: what the one before saw is not theirs. */
  #forget(): void {
    this.#rows.clear();
    this.#complete = false;
    this.#isAwaited = true;
    this.#heldAtMs = 0;
  }

  heldAtMs(): number {
    return this.#heldAtMs;
  }

  isCurrent(): boolean {
    return !this.#isAwaited;
  }

  position(): undefined {
    return undefined;
  }
}
