/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { StatePanel } from "../../ui/state-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { FilterBar } from "../filter/filter-bar.tsx";
import { NO_FILTERS } from "../filter/node-filter.ts";
import type { UrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { AroundControl } from "./around/around-control.tsx";
import { NoCentre } from "./around/no-centre.tsx";
import { useAround, type Around } from "./around/use-around.ts";
import { GraphExport } from "./export/graph-export.tsx";
import { PrintedGraph } from "./export/printed-graph.tsx";
import { encodeStyles, PRESETS, shownStyles } from "./lines/edge-presets.ts";
import { GraphCanvas } from "./graph-canvas.tsx";
import { LEGEND_PX, roomOf } from "./viewport/geometry.ts";
import type { GraphFilter } from "./layout/graph-input.ts";
import { GraphSession } from "./picture/graph-session.ts";
import styles from "./graph.module.css";
import { LayoutNote } from "./picture/layout-note.tsx";
import { openWorker } from "./picture/layout-port.ts";
import { useGraphFilter } from "./use-graph-filter.ts";
import { useOpenFolds } from "./picture/use-open-folds.ts";
import { usePicture } from "./picture/use-picture.ts";
import { useGraphHits, type GraphHits } from "./search/use-graph-hits.ts";
import { ResourceTree } from "./tree/resource-tree.tsx";
import { useTreeNodes } from "./tree/use-tree-nodes.ts";
import { sayLater } from "../../ui/said.ts";
import "@xyflow/react/dist/base.css";

/** Height of what stands above the canvas in the same box, about. */
const FILTERS_PX = 44;

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
      <FilterBar searchLabel={sayLater("resource-graph/find-in-graph")} hits={url.tree ? undefined : hits} hidden={hidden}>
        <span className="seg" role="group" aria-label={sayLater("resource-graph/edges")}>
          {PRESETS.map((preset) => (
            <button
              key={preset.key}
              type="button"
              aria-pressed={encodeStyles(shownStyles(url.edges)) === preset.key}
              onClick={() => setUrl({ edges: preset.key })}
            >
              {sayLater(preset.text)}
            </button>
          ))}
        </span>
        <AroundControl around={around} />
        <span className="grow" />
        {session !== undefined && <OpenFolds session={session} />}
        <button type="button" className="btn sm" onClick={() => setUrl({ tree: !url.tree })}>
          <Icon name={url.tree ? "graph" : "tree"} size={14} />
          {sayLater(url.tree ? "resource-graph/view-as-graph" : "resource-graph/view-as-tree")}
        </button>
        {session !== undefined && <GraphExport session={session} />}
      </FilterBar>
      {around.centre !== "" && around.found.kind !== "live" ? (
        <NoCentre around={around} />
      ) : url.tree ? (
        <ResourceTree nodes={ofTree} around={around} />
      ) : session === undefined ? (
        <Skeleton rows={6} label={sayLater("resource-graph/drawing-the-graph")} />
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
    return picture.layout === "stopped" ? null : <Skeleton rows={6} label={sayLater("resource-graph/drawing-the-graph")} />;
  if (picture.cards.size === 0 && picture.hidden > 0) {
    return (
      <StatePanel
        icon="search"
        say={sayLater("resource-graph/no-resource-matches", { hidden: picture.hidden })}
        actions={
          <button type="button" className="btn sm primary" onClick={() => setUrl(NO_FILTERS)}>
            {sayLater("resource-graph/clear-filters")}
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
      {sayLater("resource-graph/fold-again")} <span className="count num">{picture.open.length}</span>
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
