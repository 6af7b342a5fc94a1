/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useRef, useState, type ReactNode, useSyncExternalStore, useMemo } from "react";
import { StatePanel } from "../../ui/state-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import { FilterBar } from "../filter/filter-bar.tsx";
import { NO_FILTERS, matches } from "../filter/node-filter.ts";
import type { UrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { AroundControl, NoCentre } from "./around/around-control.tsx";
import { useAround, type Around } from "./around/use-around.ts";
import { PrintedGraph } from "./export/printed-graph.tsx";
import { encodeStyles, PRESETS, shownStyles } from "@binnacle/presentation/drawing/edge-presets";
import { GraphCanvas } from "./graph-canvas.tsx";
import { LEGEND_PX, roomOf } from "@binnacle/presentation/drawing/geometry";
import type { GraphFilter } from "@binnacle/presentation/layout/graph-input";
import { GraphSession } from "./picture/graph-session.ts";
import styles from "./graph.module.css";
import { openWorker } from "./picture/layout-port.ts";
import { useGraphHits, type GraphHits } from "./search/use-graph-hits.ts";
import { ResourceTree } from "./tree/resource-tree.tsx";
import { tLater } from "../../ui/messages.ts";
import { keyOfStatus, WORST_FIRST } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { near, type Ends } from "@binnacle/presentation/layout/near";
import { styleOf } from "@binnacle/presentation/layout/graph-input-of";
import { type Picture, NO_PICTURE } from "./picture/picture.ts";
import "@xyflow/react/dist/base.css";
import type { ExportFormat } from "../export/export-format.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { pictureGaps } from "@binnacle/presentation/drawing/export-picture";
import type { GraphFormat } from "./export/graph-files.ts";
import type { WordsId } from "@binnacle/words";
import type { LayoutState } from "./picture/layout-runner.ts";

const FORMATS: readonly { readonly key: GraphFormat; readonly title: string; readonly does: WordsId }[] = [
  { key: "svg", title: "SVG", does: "resource-graph/svg-hint" },
  { key: "png", title: "PNG", does: "resource-graph/png-hint" },
  { key: "mermaid", title: "Mermaid", does: "resource-graph/mermaid-hint" },
  { key: "json", title: "JSON", does: "resource-graph/json-hint" },
];

/** Height of what stands above the canvas in the same box, about. */
const FILTERS_PX = 44;

const nothing = (): Picture => NO_PICTURE;
const never = () => () => {};

/** The graph of the environment, or its twin as a tree. */
export function ResourceGraph(): ReactNode {
  const [url, setUrl] = useUrlState();
  const root = useRef<HTMLDivElement>(null);
  const around = useAround();
  const filter = useGraphFilter(url, around);
  const session = useGraphSession(url, filter, root);
  const picture = usePicture(session);
  useOpenFolds(session, picture);
  const hits = useGraphHits(picture, url.q);
  const store = useEnvironmentStore();
  const ofTree = useTreeNodes(url, filter.around);
  const hidden = { count: url.tree ? store.nodes.size - ofTree.size : picture.hidden, onClear: () => setUrl(NO_FILTERS) };
  return (
    <div ref={root} className={styles["graph"]}>
      <FilterBar searchLabel={tLater("resource-graph/find-in-graph")} hits={url.tree ? undefined : hits} hidden={hidden}>
        <span className="seg" role="group" aria-label={tLater("resource-graph/edges")}>
          {PRESETS.map((preset) => (
            <button
              key={preset.key}
              type="button"
              aria-pressed={encodeStyles(shownStyles(url.edges)) === preset.key}
              onClick={() => setUrl({ edges: preset.key })}
            >
              {tLater(preset.text)}
            </button>
          ))}
        </span>
        <AroundControl around={around} />
        <span className="grow" />
        {session !== undefined && <OpenFolds session={session} />}
        <button type="button" className="btn sm" onClick={() => setUrl({ tree: !url.tree })}>
          <Icon name={url.tree ? "graph" : "tree"} size={14} />
          {tLater(url.tree ? "resource-graph/view-as-graph" : "resource-graph/view-as-tree")}
        </button>
        {session !== undefined && <GraphExport session={session} />}
      </FilterBar>
      {around.centre !== "" && around.found.kind !== "live" ? (
        <NoCentre around={around} />
      ) : url.tree ? (
        <ResourceTree nodes={ofTree} around={around} />
      ) : session === undefined ? (
        <Skeleton rows={6} label={tLater("resource-graph/drawing-the-graph")} />
      ) : (
        <Drawing session={session} hits={hits} around={around} />
      )}
    </div>
  );
}

interface DrawingProps {
  readonly session: GraphSession;
  readonly hits: GraphHits;
  readonly around: Around;
}

/** The canvas, and above it what is to be known when it stands still. */
function Drawing(props: DrawingProps): ReactNode {
  const { session } = props;
  return (
    <>
      <PrintedGraph session={session} />
      <LayoutNote layout={usePicture(session).layout} onTryAgain={() => session.tryAgain()} />
      <Canvas {...props} />
    </>
  );
}

function Canvas({ session, hits, around }: DrawingProps): ReactNode {
  const picture = usePicture(session);
  const [, setUrl] = useUrlState();
  if (picture.version === 0)
    return picture.layout === "stopped" ? null : <Skeleton rows={6} label={tLater("resource-graph/drawing-the-graph")} />;
  if (picture.cards.size === 0 && picture.hidden > 0) {
    return (
      <StatePanel
        icon="search"
        message={tLater("resource-graph/no-resource-matches", { hidden: picture.hidden })}
        actions={
          <button type="button" className="btn sm primary" onClick={() => setUrl(NO_FILTERS)}>
            {tLater("ui/clear-filters")}
          </button>
        }
      />
    );
  }
  return (
    <ReactFlowProvider>
      <GraphCanvas session={session} picture={picture} hits={hits} around={around} />
    </ReactFlowProvider>
  );
}

function OpenFolds({ session }: { readonly session: GraphSession }): ReactNode {
  const picture = usePicture(session);
  if (picture.open.length === 0) return null;
  return (
    <button type="button" className="btn sm" onClick={() => session.setOpen([], "person")}>
      {tLater("resource-graph/fold-again")} <span className="count num">{picture.open.length}</span>
    </button>
  );
}

function useGraphSession(url: UrlState, filter: GraphFilter, root: React.RefObject<HTMLElement | null>): GraphSession | undefined {
  const store = useEnvironmentStore();
  const [session, setSession] = useState<GraphSession>();
  const [first] = useState(url.open);
  useEffect(() => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = root.current ?? {};
    const room = width === 0 ? {} : { room: roomOf({ width, height: height - FILTERS_PX - LEGEND_PX }) };
    const opened = new GraphSession(store, openWorker, { folds: first, ...room });
    // oxlint-disable-next-line react/set-state-in-effect -- it has a worker, which no render may start
    setSession(opened);
    return () => {
      setSession(undefined);
      opened.close();
    };
  }, [store, first, root]);
  useEffect(() => session?.setFilter(filter), [session, filter]);
  return session;
}

/** Keeps the open folds in the address: a link shows them, and the back button folds again what a person has opened. */
function useOpenFolds(session: GraphSession | undefined, picture: Picture): void {
  const [url, setUrl] = useUrlState();
  const drawn = JSON.stringify(picture.open);
  const addressed = JSON.stringify(url.open);
  // What both sides agree on: whichever differs from it is the one that has changed.
  const applied = useRef(addressed);
  useEffect(() => {
    if (session === undefined || picture.version === 0 || drawn === applied.current) return;
    applied.current = drawn;
    setUrl({ open: session.picture().open }, session.openedBy === "person" ? "push" : "replace");
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the picture is new with every answer; only its folds matter
  }, [session, drawn, setUrl]);
  useEffect(() => {
    if (session === undefined || addressed === applied.current) return;
    applied.current = addressed;
    session.setOpen(url.open);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the list is new with every address, its text is not
  }, [session, addressed]);
}

/** The picture of a session; renders when the layout has answered. Without a session there is nothing on it. */
function usePicture(session: GraphSession | undefined): Picture {
  const read = session?.picture ?? nothing;
  return useSyncExternalStore(session?.onPicture ?? never, read, read);
}

/** What the tree shows of the view; the graph shows the same. */
function useTreeNodes(url: UrlState, around: GraphFilter["around"]): ReadonlyMap<string, LiveNode> {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  return useMemo(() => {
    if (!url.tree) return new Map();
    const { managed: _, ...filter } = url;
    const lines = [...store.edges.values()].flatMap((edge): readonly Ends[] =>
      around?.styles.includes(styleOf(edge)) === true ? [[edge.from, edge.to]] : [],
    );
    const found = around === undefined ? undefined : near(lines, around.id, around.hops);
    return new Map([...store.nodes].filter(([id, node]) => (found === undefined || found.has(id)) && matches(node, filter)));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version, url, around]);
}

/** What the graph shows according to the address; the same object until that changes. */
function useGraphFilter(url: UrlState, { centre, hops, found }: Around): GraphFilter {
  const { namespaces, kinds, health, onlyProblems, edges } = url;
  const id = found.kind === "live" ? found.node.id : "";
  return useMemo(
    () => ({
      namespaces,
      kinds,
      statuses: WORST_FIRST.filter((status) => health.includes(keyOfStatus(status))),
      onlyProblems,
      ...(centre === "" ? {} : { around: { id, hops, styles: [...shownStyles(edges)] } }),
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the lists are new with every address, their texts are not
    [namespaces.join(), kinds.join(), health.join(), onlyProblems, centre, id, hops, centre === "" ? "" : edges],
  );
}

/** The menu that makes files of the graph. */
function GraphExport({ session }: { readonly session: GraphSession }): ReactNode {
  const store = useEnvironmentStore();
  const [{ edges }] = useUrlState();
  const formats = useMemo<readonly ExportFormat[]>(() => {
    const shown = shownStyles(edges);
    return FORMATS.map((format) => ({
      ...format,
      does: tLater(format.does),
      make: async (scope) =>
        (await import("./export/graph-files.ts")).graphFile(format.key, { picture: session.picture(), store, shown }, scope),
    }));
  }, [session, store, edges]);
  return <ExportMenu subject="graph" formats={formats} gaps={() => pictureGaps(session.picture())} />;
}

/** Says that the graph stands still, and why; nothing while the layout answers. */
export function LayoutNote({ layout, onTryAgain }: { readonly layout: LayoutState; readonly onTryAgain: () => void }): ReactNode {
  if (layout === "answering") return null;
  return (
    <output className="banner missing">
      <Icon name="off" />
      <span>{layout === "restarting" ? tLater("resource-graph/layout-restarting") : tLater("resource-graph/layout-failed")}</span>
      {layout === "stopped" && (
        <button type="button" className="btn sm" onClick={onTryAgain}>
          {tLater("ui/try-again")}
        </button>
      )}
    </output>
  );
}
