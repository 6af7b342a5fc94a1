import type { KnownRow } from "@binnacle/presentation/environments/index-words";
import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { indexEntries } from "../../src/features/environments/dynamic/index-folders.ts";
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
  return { title, body: tableOf(named) };
}

/** @param folder all of them stand in it */
function tableOf(known: readonly KnownRow[], folder?: { readonly name: string; readonly isOpen: boolean }) {
  const sizes = new Map(folder === undefined ? [] : [[folder.name, known.length]]);
  const entries = indexEntries(known, { sizes, isOpen: () => folder?.isOpen === true });
  return <EnvironmentsTable rows={entries} stale={false} handlers={HANDLERS} onVisible={nothing} onFolder={nothing} />;
}

function inFolder(isOpen: boolean) {
  const known = rows.map((row) => ({
    row: { ...row, ...(row.environment && { environment: { ...row.environment, name: `review/${row.environment.name}` } }) },
    knowledge: knowledgeOf(row, standing),
  }));
  return tableOf(known, { name: "review", isOpen });
}

const nothing = (): void => undefined;
const HANDLERS = { onPointerEnter: nothing, onPointerLeave: nothing, onFocus: nothing, onBlur: nothing };

/** Rows of the index. */
export const indexSpecimens: SpecimenGroup = {
  title: "Index",
  specimens: [
    {
      title: "rows",
      body: tableOf(rows.map((row) => ({ row, knowledge: knowledgeOf(row, standing) }))),
    },
    { title: "folder", body: inFolder(false) },
    { title: "open folder", body: inFolder(true) },
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
