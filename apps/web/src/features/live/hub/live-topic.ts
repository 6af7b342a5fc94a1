import {
  TopicSchema,
  type Topic,
  type ViewPosition,
  type WatchEnvironmentResponse,
  type WatchEnvironmentsResponse,
  type WatchEventsResponse,
} from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";

/** What a page may follow. */
export type LiveTopic =
  | { readonly what: "environment" | "events"; readonly projectPath: string; readonly environment: string }
  /** `visible`: names of environments on the screen; `issues`: rows have all of them. */
  | { readonly what: "environments"; readonly projectPath: string; readonly visible: readonly string[]; readonly issues?: boolean };

/** A message of a topic of any kind. */
type LiveAnswer =
  | { readonly case: "events"; readonly value: WatchEventsResponse }
  | { readonly case: "environment"; readonly value: WatchEnvironmentResponse }
  | { readonly case: "environments"; readonly value: WatchEnvironmentsResponse };

/** A message, and when this browser got it, in milliseconds since the epoch. */
export interface LiveMessage {
  readonly atMs: number;
  /** It is the first of a stream: what it does not name is not there. */
  readonly first: boolean;
  readonly answer: LiveAnswer;
}

/** Equal for equal topics. */
export function topicKey(topic: LiveTopic): string {
  const which = topic.what === "environments" ? [topic.visible, topic.issues === true] : topic.environment;
  return JSON.stringify([topic.what, topic.projectPath, which]);
}

/** A topic that another page has sent; `undefined` for what is none. */
export function parseLiveTopic(data: unknown): LiveTopic | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const [what, projectPath, environment, visible] = ["what", "projectPath", "environment", "visible"].map((name): unknown =>
    Reflect.get(data, name),
  );
  if (typeof projectPath !== "string") return undefined;
  if (what === "environment" || what === "events") return typeof environment === "string" ? { what, projectPath, environment } : undefined;
  if (what !== "environments" || !Array.isArray(visible)) return undefined;
  const names: readonly unknown[] = visible;
  if (!names.every((name) => typeof name === "string")) return undefined;
  return { what, projectPath, visible: names, ...(Reflect.get(data, "issues") === true && { issues: true }) };
}

/** A topic for the wire. */
export function toTopic(id: number, topic: LiveTopic, after: ViewPosition | undefined): Topic {
  const { projectPath } = topic;
  if (topic.what === "environments") {
    const value = { projectPath, visible: [...topic.visible], issues: topic.issues === true };
    return create(TopicSchema, { id, topic: { case: "environments", value } });
  }
  const value = { projectPath, environment: topic.environment, ...(after && { after }) };
  return create(TopicSchema, { id, topic: { case: topic.what, value } });
}
