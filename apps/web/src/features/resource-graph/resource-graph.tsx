/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { StatePanel } from "../../ui/state-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { keyOfStatus, WORST_FIRST } from "../live/health-status.ts";
import { FilterBar } from "../filter/filter-bar.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { encodeStyles, PRESETS, shownStyles } from "./lines/edge-presets.ts";
import { GraphCanvas } from "./graph-canvas.tsx";
import { LEGEND_PX, roomOf } from "./viewport/geometry.ts";
import { GraphSession, type Picture } from "./picture/graph-session.ts";
import styles from "./graph.module.css";
import { LayoutNote } from "./picture/layout-note.tsx";
import { openWorker } from "./picture/layout-port.ts";
import { ResourceTree } from "./tree/resource-tree.tsx";
import "@xyflow/react/dist/base.css";

/** Height of what stands above the canvas in the same box, about. */
const FILTERS_PX = 44;

/** The graph of the environment, or its twin as a tree. */
export function ResourceGraph(): ReactNode {
  const [url, setUrl] = useUrlState();
  const root = useRef<HTMLDivElement>(null);
  const session = useGraphSession(url, root);
  return (
    <div ref={root} className={styles["graph"]}>
      <FilterBar searchLabel="Find in graph">
        <span className="seg" role="group" aria-label="Edges">
          {PRESETS.map((preset) => (
            <button
              key={preset.key}
              type="button"
              aria-pressed={encodeStyles(shownStyles(url.edges)) === preset.key}
              onClick={() => setUrl({ edges: preset.key })}
            >
              {preset.text}
            </button>
          ))}
        </span>
        <span className="grow" />
        {session !== undefined && <OpenFolds session={session} />}
        <button type="button" className="btn sm" aria-pressed={url.tree} onClick={() => setUrl({ tree: !url.tree })}>
          <Icon name="tree" size={14} />
          View as tree
        </button>
      </FilterBar>
      {url.tree ? (
        <ResourceTree />
      ) : session === undefined ? (
        <Skeleton rows={6} label="Drawing the graph" />
      ) : (
        <Drawing session={session} />
      )}
    </div>
  );
}

/** The canvas, and above it what is to be known when it stands still. */
function Drawing({ session }: { readonly session: GraphSession }): ReactNode {
  return (
    <>
      <LayoutNote layout={usePicture(session).layout} onTryAgain={() => session.tryAgain()} />
      <Canvas session={session} />
    </>
  );
}

function Canvas({ session }: { readonly session: GraphSession }): ReactNode {
  const picture = usePicture(session);
  const [, setUrl] = useUrlState();
  if (picture.version === 0) return picture.layout === "stopped" ? null : <Skeleton rows={6} label="Drawing the graph" />;
  if (picture.cards.size === 0 && picture.hidden > 0) {
    return (
      <StatePanel
        icon="search"
        say={`No resource matches. ${picture.hidden} hidden by filters.`}
        actions={
          <button
            type="button"
            className="btn sm primary"
            onClick={() => setUrl({ namespaces: [], kinds: [], health: [], onlyProblems: false })}
          >
            Clear filters
          </button>
        }
      />
    );
  }
  return (
    <ReactFlowProvider>
      <GraphCanvas session={session} picture={picture} />
    </ReactFlowProvider>
  );
}

function OpenFolds({ session }: { readonly session: GraphSession }): ReactNode {
  const picture = usePicture(session);
  if (picture.open.length === 0) return null;
  return (
    <button type="button" className="btn sm" onClick={() => session.setOpen([])}>
      Fold again <span className="count num">{picture.open.length}</span>
    </button>
  );
}

/** The picture of a session; renders when the layout has answered. */
function usePicture(session: GraphSession): Picture {
  return useSyncExternalStore(session.onPicture, session.picture, session.picture);
}

function useGraphSession(url: ReturnType<typeof useUrlState>[0], root: React.RefObject<HTMLElement | null>): GraphSession | undefined {
  const store = useEnvironmentStore();
  const [session, setSession] = useState<GraphSession>();
  useEffect(() => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = root.current ?? {};
    const opened = new GraphSession(
      store,
      openWorker,
      width === 0 ? {} : { room: roomOf({ width, height: height - FILTERS_PX - LEGEND_PX }) },
    );
    setSession(opened);
    return () => {
      setSession(undefined);
      opened.close();
    };
  }, [store, root]);
  const { namespaces, kinds, health, onlyProblems } = url;
  const filter = useMemo(
    () => ({
      namespaces,
      kinds,
      statuses: WORST_FIRST.filter((status) => health.includes(keyOfStatus(status))),
      onlyProblems,
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the lists are new with every address, their texts are not
    [namespaces.join(), kinds.join(), health.join(), onlyProblems],
  );
  useEffect(() => session?.setFilter(filter), [session, filter]);
  return session;
}
