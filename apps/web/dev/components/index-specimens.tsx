import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { EnvironmentsTable } from "../../src/features/environments/environments-table.tsx";
import { knowledgeOf } from "@binnacle/presentation/environments/row-knowledge";
import { indexRows } from "../fixture-index.ts";
import type { SpecimenGroup } from "./specimen.ts";
import { NOW_MS } from "./specimen-store.tsx";

const rows = indexRows();
const standing = { nowMs: NOW_MS, lostSinceMs: undefined, kept: new Map<string, number>() };
const unknown = ["loading", "agent-offline", "kas-unreachable", "api-down", "never-connected", "failed", "too-large"] as const;
const old = ["agent-offline", "kas-unreachable", "api-down", "reconnecting", "failed", "late", "stream"] as const;
const [first] = rows;

function table(title: string, known: readonly RowKnowledge[]) {
  const named = known.flatMap((knowledge, index) =>
    first?.environment === undefined
      ? []
      : [
          {
            row: {
              ...first,
              environment: { ...first.environment, name: `${title} ${index}` },
              ...(knowledge.kind === "unknown" ? { health: undefined } : {}),
            },
            knowledge,
          },
        ],
  );
  return { title, body: <EnvironmentsTable rows={named} stale={false} handlers={HANDLERS} onVisible={nothing} /> };
}

const nothing = (): void => undefined;
const HANDLERS = { onPointerEnter: nothing, onPointerLeave: nothing, onFocus: nothing, onBlur: nothing };

/** Rows of the index. */
export const indexSpecimens: SpecimenGroup = {
  title: "Index",
  specimens: [
    {
      title: "rows",
      body: (
        <EnvironmentsTable
          rows={rows.map((row) => ({ row, knowledge: knowledgeOf(row, standing) }))}
          stale={false}
          handlers={HANDLERS}
          onVisible={nothing}
        />
      ),
    },
    table(
      "not known yet",
      unknown.map((why) => ({ kind: "unknown", why })),
    ),
    table(
      "old",
      old.map((why) => ({ kind: "old", why, asOfMs: NOW_MS - 600_000 })),
    ),
  ],
};
