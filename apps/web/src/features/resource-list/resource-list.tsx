/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { usePreference } from "../../ui/preference.ts";
import { tLater } from "../../ui/messages.ts";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { usePrinting } from "../../ui/use-printing.ts";
import { useWidths } from "../../ui/use-widths.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { FilterBar } from "../filter/filter-bar.tsx";
import { NO_FILTERS } from "../filter/node-filter.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { ChoiceBar } from "../actions/choice-bar.tsx";
import { sampledKinds, sampledWords } from "../live/sampled-kinds.ts";
import { PrintedTable } from "../print/printed-table.tsx";
import { CHOSEN_COLUMNS, ROW_DENSITY, shownColumns } from "./column-choice.ts";
import { CARD_COLUMNS, type Column } from "./columns.tsx";
import { chooseNone, moveTo, NO_CHOICE, tabStopOf } from "./list-choice.ts";
import { ListGrid, type ListGoal } from "./list-grid.tsx";
import { idsOfRows, listRows, heldRows, keyOfRow, type ListRow, listColumns, resourcesOf } from "./list-rows.ts";
import { ListSettings } from "./list-settings.tsx";
import styles from "./list.module.css";
import { sortOrderOf } from "./sort-order.ts";
import type { ExportFormat } from "../export/export-format.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { tableFormats } from "../export/tables/table-formats.ts";

const ROW_PX = { comfortable: 40, compact: 30 } as const;
/** Where the columns have no room, a resource is a card of two lines. */
const CARD_PX = 60;
/** Below this width of the list there are cards. */
const CARDS_BELOW_PX = 720;
const MANAGED = [
  { managed: "", text: "ui/all-option" },
  { managed: "direct", text: "resource-list/applied-directly" },
  { managed: "generated", text: "resource-list/manager-generated" },
  { managed: "foreign", text: "resource-list/foreign" },
] as const;

/** Rows in the order that they are shown in. */
interface HeldRows {
  readonly rows: readonly ListRow[];
  /** They would stand otherwise by now. */
  readonly isOther: boolean;
  readonly sortAgain: () => void;
}

/** All resources as a table: the equal twin of the graph, with the same filter. */
export function ResourceList(): ReactNode {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const [url, setUrl] = useUrlState();
  // While the first of it comes in, the worst come up.
  const { complete } = useView();
  const [preferred] = usePreference(CHOSEN_COLUMNS);
  const [density] = usePreference(ROW_DENSITY);
  const [choice, setChoice] = useState(NO_CHOICE);
  const [inside, setInside] = useState({ pointer: false, focus: false });
  const [goal, setGoal] = useState<ListGoal>();
  const sorted = useMemo(() => {
    const ownerOf = (node: LiveNode): LiveNode | undefined => store.node(node.ownerId);
    return listRows(store.nodes.values(), url, { grouped: url.group === "kind", sort: sortOrderOf(url.sort), ownerOf });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version, url]);
  const { q, namespaces, kinds, health, onlyProblems, group, sort, managed: managedOnly } = url;
  const question = JSON.stringify([q, namespaces, kinds, health, onlyProblems, group, sort, managedOnly]);
  const { rows, isOther, sortAgain } = useHeldRows(sorted, question, complete && (inside.pointer || inside.focus));
  const ids = useMemo(() => idsOfRows(rows), [rows]);
  // Where no tool manages anything, there is no control for it.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  const managed = useMemo(() => [...store.nodes.values()].some((node) => node.managedBy !== undefined), [store, version]);
  const [box, [width = CARDS_BELOW_PX]] = useWidths();
  const cards = width < CARDS_BELOW_PX;
  const columns = useMemo(() => shownColumns(url.columns, preferred, managed), [url.columns, preferred, managed]);
  const onInside = useCallback(
    (how: "pointer" | "focus", is: boolean) => setInside((before) => (before[how] === is ? before : { ...before, [how]: is })),
    [],
  );
  const total = store.nodes.size;
  const shown = ids.length;
  const stop = tabStopOf(choice, ids);
  const at = stop === undefined || choice.current === "" ? 0 : ids.indexOf(stop) + 1;
  const goTo = (id: string | undefined, focus: boolean): void => {
    if (id === undefined) return;
    setChoice((before) => moveTo(before, ids, id));
    setGoal({ id, focus });
  };
  const hits = {
    total: shown,
    at,
    step: (by: 1 | -1) => goTo(ids.at(at === 0 ? (by > 0 ? 0 : -1) : (at - 1 + by) % ids.length), false),
    leave: () => goTo(stop, true),
  };
  const chosen = [...choice.chosen].flatMap((id) => {
    const node = store.node(id);
    return node?.ref === undefined ? [] : [node];
  });
  const clear = (): void => setUrl(NO_FILTERS);
  return (
    <div ref={box} className={styles["list"]}>
      <PrintedList rows={rows} columns={columns} />
      <FilterBar hits={hits}>
        <button
          type="button"
          className="btn sm"
          aria-pressed={url.group === "kind"}
          onClick={() => setUrl({ group: url.group === "kind" ? "" : "kind" })}
        >
          {tLater("resource-list/group-by-kind")}
        </button>
        {managed && (
          <span className="seg" role="group" aria-label={tLater("resource-list/managed")}>
            {MANAGED.map((each) => (
              <button
                key={each.managed}
                type="button"
                aria-pressed={url.managed === each.managed}
                onClick={() => setUrl({ managed: each.managed })}
              >
                {tLater(each.text)}
              </button>
            ))}
          </span>
        )}
        <span className="grow" />
        <SampledNote />
        {isOther && (
          <button type="button" className="btn ghost sm" title={tLater("find/held/why")} onClick={sortAgain}>
            {tLater("find/held")}
          </button>
        )}
        <output className="muted num">
          {shown === total ? tLater("ui/resource-count", { count: total }) : tLater("resource-list/of-resources", { shown, total })}
        </output>
        {shown < total && (
          <button type="button" className="linkish" title={tLater("find/hidden", { count: total - shown })} onClick={clear}>
            {tLater("find/hidden/clear")}
          </button>
        )}
        <ListSettings columns={columns} managed={managed} />
        <ListExport rows={rows} columns={columns} />
      </FilterBar>
      {shown === 0 && total > 0 ? (
        <StatePanel
          icon="search"
          message={tLater("resource-list/no-resource-matches", { total })}
          actions={
            <button type="button" className="btn sm primary" onClick={clear}>
              {tLater("ui/clear-filters")}
            </button>
          }
        />
      ) : (
        <ListGrid
          rows={rows}
          ids={ids}
          columns={cards ? CARD_COLUMNS : columns}
          rowPx={cards ? CARD_PX : ROW_PX[density]}
          cardPx={cards ? width : undefined}
          choice={choice}
          onChoice={setChoice}
          onInside={onInside}
          goal={goal}
        />
      )}
      {chosen.length > 0 && (
        <ChoiceBar
          nodes={chosen}
          hidden={chosen.length - ids.filter((id) => choice.chosen.has(id)).length}
          onNone={() => setChoice(chooseNone)}
        />
      )}
    </div>
  );
}

/** Which kinds of the list are not of now, and how old they are. Nothing while all are followed. */
function SampledNote(): ReactNode {
  const { sources } = useView();
  const now = useNow();
  const kinds = sampledKinds(sources.filter(({ shown }) => shown > 0));
  if (kinds === undefined) return null;
  return (
    <span className="muted num" style={{ marginRight: "var(--s3)" }} title={kinds.names.join(", ")} data-sampled-note="">
      <WithTimes text={sampledWords(kinds, now)} times={[kinds.asOfMs]} now={now} />
    </span>
  );
}

/**
 * The rows, in a fixed order while the pointer or the focus is among them, so that no row moves while it is read or operated.
 *
 * @param sorted how they would stand now
 * @param question the order and the filter; a change applies at once
 * @param isHeld whether the pointer or the focus is among them
 */
function useHeldRows(sorted: readonly ListRow[], question: string, isHeld: boolean): HeldRows {
  const [held, setHeld] = useState({ rows: sorted, of: sorted, question, isHeld });
  const [turn, setTurn] = useState(0);
  const [seenTurn, setSeenTurn] = useState(0);
  if (held.of !== sorted || held.question !== question || held.isHeld !== isHeld || seenTurn !== turn) {
    const stays = isHeld && held.question === question && seenTurn === turn;
    setSeenTurn(turn);
    setHeld({ rows: stays ? heldRows(held.rows, sorted) : sorted, of: sorted, question, isHeld });
  }
  const isOther = held.rows !== sorted && held.rows.some((row, index) => !isSame(row, sorted[index]));
  return { rows: held.rows, isOther, sortAgain: () => setTurn(turn + 1) };
}

function isSame(left: ListRow, right: ListRow | undefined): boolean {
  return right !== undefined && keyOfRow(left) === keyOfRow(right);
}

/** The list on paper, complete: what is on the screen is a window of it. */
function PrintedList(props: { readonly rows: readonly ListRow[]; readonly columns: readonly Column[] }): ReactNode {
  return usePrinting() && <Whole {...props} />;
}

function Whole({ rows, columns }: { readonly rows: readonly ListRow[]; readonly columns: readonly Column[] }): ReactNode {
  const store = useEnvironmentStore();
  const resources = resourcesOf(rows, store);
  const count = store.nodes.size - resources.length;
  return (
    <>
      {count > 0 && <p>{tLater("export/gap/hidden", { count })}</p>}
      <PrintedTable table={{ columns: listColumns(store, columns), rows: resources }} label={tLater("ui/resources")} />
    </>
  );
}

/** The menu that makes files of the list: its filter, its order, its columns. */
function ListExport({ rows, columns }: { readonly rows: readonly ListRow[]; readonly columns: readonly Column[] }): ReactNode {
  const store = useEnvironmentStore();
  const formats = useMemo<readonly ExportFormat[]>(
    () => tableFormats(() => ({ columns: listColumns(store, columns), rows: resourcesOf(rows, store) })),
    [store, rows, columns],
  );
  const hidden = (): readonly string[] => {
    const count = store.nodes.size - resourcesOf(rows, store).length;
    return count === 0 ? [] : [tLater("export/gap/hidden", { count })];
  };
  return <ExportMenu subject="list" formats={formats} gaps={hidden} />;
}
