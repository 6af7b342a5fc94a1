import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  EnvironmentRowSchema,
  HealthStatus,
  ProblemKind,
  ProblemSchema,
  ViewerSchema,
  type EnvironmentRow,
  type Viewer,
} from "@binnacle/proto/dashboard";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { START, type EnvironmentsState } from "../environments-state.ts";
import { endsIndexHold, heldIndex, waitingOf } from "./index-hold.tsx";

type Init = Exclude<MessageInitShape<typeof EnvironmentRowSchema>, EnvironmentRow>;

function row(name: string, status: HealthStatus, init: Init = {}): EnvironmentRow {
  return create(EnvironmentRowSchema, { environment: { name }, health: { status }, workloads: 2, ...init });
}

function state(...rows: readonly EnvironmentRow[]): EnvironmentsState {
  return { ...START, rows: new Map(rows.map((each) => [each.environment?.name ?? "", each])), viewer: viewer("ann") };
}

function viewer(username: string): Viewer {
  return create(ViewerSchema, { username });
}

const { DEGRADED, HEALTHY } = HealthStatus;
const AT = state(row("a", HEALTHY), row("b", HEALTHY), row("c", HEALTHY));

test("what is held stays, and how many environments say something else is counted; a newer look at the same is nothing new", () => {
  const live = state(row("a", DEGRADED), row("b", HEALTHY, { asOf: timestampFromMs(9_000) }), row("c", HEALTHY), row("new", HEALTHY));
  expect([...heldIndex(AT, live).rows.values()].map(({ health }) => health?.status)).toEqual([HEALTHY, HEALTHY, HEALTHY]);
  expect(waitingOf(AT, live)).toBe(2);
  expect(waitingOf(AT, AT)).toBe(0);
});

test("what may not be seen any more goes at once, and what is gone too", () => {
  const forbidden = create(EnvironmentRowSchema, { environment: { name: "b" }, problem: { kind: ProblemKind.AGENT_FORBIDDEN } });
  const shown = heldIndex(AT, state(row("a", HEALTHY), forbidden));
  expect([...shown.rows.keys()]).toEqual(["a", "b"]);
  expect(shown.rows.get("b")?.health).toBeUndefined();
});

test("another user, or a project that may not be seen, ends a hold; a session that ends, and a server that is away, do not", () => {
  const problem = (kind: ProblemKind): EnvironmentsState => ({ ...AT, problem: create(ProblemSchema, { kind }) });
  expect(endsIndexHold(AT, { ...AT, viewer: viewer("bob") })).toBe(true);
  expect(endsIndexHold(AT, problem(ProblemKind.NOT_FOUND))).toBe(true);
  for (const kind of [ProblemKind.UNAUTHENTICATED, ProblemKind.UNAVAILABLE]) expect(endsIndexHold(AT, problem(kind))).toBe(false);
  expect(endsIndexHold(AT, AT)).toBe(false);
});
