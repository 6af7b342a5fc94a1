import type { ViewPosition } from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { eventsAfter, eventsMessage, NO_EVENTS, type EventsPicture } from "../events-picture.ts";
import type { LiveMessage } from "./live-topic.ts";
import type { TopicReplica } from "./stream-hub.ts";

/** What is known of the events of an environment. */
export class EventsReplica implements TopicReplica<LiveMessage, ViewPosition> {
  #picture: EventsPicture = NO_EVENTS;
  /** The stream of now has told nothing of them yet. */
  #isAwaited = true;
  #atMs = 0;
  #heldAtMs = 0;

  take({ answer, atMs, first }: LiveMessage): boolean {
    if (answer.case !== "events") return true;
    const { value } = answer;
    this.#isAwaited ||= first;
    if (value.position !== undefined || value.state !== undefined) this.#isAwaited = false;
    this.#picture = eventsAfter(this.#picture, value);
    this.#atMs = atMs;
    if (!this.#isAwaited) this.#heldAtMs = atMs;
    return value.problem === undefined || value.problem.kind === ProblemKind.UNAVAILABLE;
  }

  whole(): readonly LiveMessage[] {
    if (this.#atMs === 0) return [];
    const { problem, ...rest } = this.#picture;
    const messages = [eventsMessage(rest), ...(problem === undefined ? [] : [eventsMessage({ ...NO_EVENTS, problem })])];
    return messages.map((value, index) => ({ atMs: this.#atMs, first: index === 0, answer: { case: "events", value } }));
  }

  position(): ViewPosition | undefined {
    return this.#picture.state?.complete === true ? this.#picture.position : undefined;
  }

  heldAtMs(): number {
    return this.#heldAtMs;
  }

  isCurrent(): boolean {
    return !this.#isAwaited;
  }
}
