import {
  EnvironmentRowSchema,
  WatchEnvironmentsResponseSchema,
  type EnvironmentRow,
  type Viewer,
  type WatchEnvironmentsResponse,
} from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { isOfAnotherUser } from "@binnacle/presentation/view/same-view";
import { isFinal } from "@binnacle/presentation/view/pause";
import type { TopicContent, TopicType } from "./typed-replica.ts";

interface RowsContent extends TopicContent {
  readonly rows: ReadonlyMap<string, EnvironmentRow>;
  readonly viewer?: Viewer | undefined;
  readonly last?: WatchEnvironmentsResponse;
  readonly complete: boolean;
}

const EMPTY: RowsContent = { rows: new Map(), complete: false, isAwaited: true, atMs: 0, confirmedAtMs: 0, isOver: false };

/** A project's environments: the rows as they came last. An index starts over with every stream. */
export const ENVIRONMENTS_TOPIC: TopicType<RowsContent> = {
  empty: EMPTY,
  reduce(earlier, { answer, atMs, first }) {
    if (answer.case !== "environments") return earlier;
    const message = answer.value;
    // Another user has signed in: what the one before saw is not theirs.
    const before = message.viewer !== undefined && isOfAnotherUser(earlier.viewer, message.viewer) ? EMPTY : earlier;
    const begins = before.isAwaited || first;
    const isAwaited = begins && !message.complete;
    return {
      rows: rowsAfter(begins && message.complete ? EMPTY.rows : before.rows, message),
      viewer: message.viewer ?? before.viewer,
      last: message,
      complete: before.complete || message.complete,
      isAwaited,
      atMs,
      confirmedAtMs: isAwaited ? before.confirmedAtMs : atMs,
      isOver: isFinal(message.problem),
    };
  },
  messagesOf({ rows, viewer, complete, last, atMs }) {
    if (last === undefined) return [];
    const { problem, sentAt } = last;
    const value = create(WatchEnvironmentsResponseSchema, {
      rows: [...rows.values()],
      complete,
      ...(viewer && { viewer }),
      ...(problem && { problem }),
      ...(sentAt && { sentAt }),
    });
    return [{ atMs, answer: { case: "environments", value } }];
  },
  positionOf: () => undefined,
};

function rowsAfter(before: RowsContent["rows"], message: WatchEnvironmentsResponse): RowsContent["rows"] {
  const rows = new Map(before);
  for (const name of message.removed) rows.delete(name);
  for (const row of message.rows) rows.set(row.environment?.name ?? "", row);
  for (const { names, asOf } of message.seen) {
    for (const name of names) {
      const row = rows.get(name);
      if (row !== undefined && asOf !== undefined) rows.set(name, create(EnvironmentRowSchema, { ...row, asOf }));
    }
  }
  return rows;
}
