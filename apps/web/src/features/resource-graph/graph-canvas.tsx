/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { ReactFlow, useStore } from "@xyflow/react";
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  useSyncExternalStore,
  useLayoutEffect,
} from "react";
import { useCommand } from "../../ui/commands.ts";
import { useEnvironmentStore, useView } from "../live/environment-context.tsx";
import { selectionOf } from "../address/url-state.ts";
import { findSelected } from "../live/selected-node.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { shownStyles } from "@binnacle/presentation/drawing/edge-presets";
import { type Around, useViewAround } from "./around/use-around.ts";
import { cardAt } from "./viewport/far-blocks.tsx";
import { ChoiceBar } from "../actions/choice-bar.tsx";
import { FlowNodes } from "./cards/flow-nodes.ts";
import { useChosenCards } from "./cards/use-chosen-cards.ts";
import { boundsOf, detailOf, roomOf, SMALL_BELOW, COMFORTABLE, COMPACT, type Density } from "@binnacle/presentation/drawing/geometry";
import { GraphActionsProvider, type GraphActions } from "./cards/graph-context.tsx";
import type { GraphSession } from "./picture/graph-session.ts";
import type { Picture } from "./picture/picture.ts";
import { Legend } from "./lines/legend.tsx";
import { LineLayer } from "./lines/line-layer.tsx";
import { CardTip } from "./hover/card-tip.tsx";
import { Overlays } from "./viewport/overlays.tsx";
import { CardView, type CardNode } from "./cards/node-card.tsx";
import { RovingFocus, useFarFocus } from "./keyboard/roving-focus.ts";
import { boxInTile, viewportTileOf } from "@binnacle/presentation/drawing/viewport-tile";
import { useGraphKeys } from "./keyboard/use-graph-keys.ts";
import { type GraphHits, useGoal } from "./search/use-graph-hits.ts";
import { useGraphView, useCanvasSize } from "./viewport/use-graph-view.ts";
import { ViewInAddress } from "./viewport/view-in-address.tsx";
import { readingOrder } from "./keyboard/walk.ts";
import { tLater } from "../../ui/messages.ts";
import styles from "./graph-canvas.module.css";
import { STATUS } from "@binnacle/presentation/layout/graph-input";

/** A little longer than the transition in `graph-canvas.module.css`. */
const MOVE_MS = 320;

const SMALL_WINDOW = "(max-width: 1023px)";

const NODE_TYPES = { card: CardView };
/** Up to this many cards all are in the page: search in page, screen readers and tests find them. Above, only the visible ones. */
const ALL_MOUNTED = 150;
const NO_NODES: CardNode[] = [];

/** The library tells of keys that do nothing here, in English. */
const NO_KEYS_OF_ITS_OWN = { "node.a11yDescription.default": "", "edge.a11yDescription.default": "" } as const;

/** The canvas with its cards, titles, minimap and legend. */
export function GraphCanvas(props: {
  readonly session: GraphSession;
  readonly picture: Picture;
  /** What the search has found. */
  readonly hits: GraphHits;
  readonly around: Around;
}): ReactNode {
  const { session, picture, hits, around } = props;
  const store = useEnvironmentStore();
  const [url, setUrl] = useUrlState();
  const [flowNodes] = useState(() => new FlowNodes());
  const [focus] = useState(() => new RovingFocus());
  const root = useRef<HTMLDivElement>(null);
  const size = useCanvasSize(root);
  const density = useDensity();
  const detail = useStore((flow) => detailOf(flow.transform[2]));
  const many = picture.cards.size > ALL_MOUNTED;
  const far = detail === "far" && many;
  const shown = useMemo(() => shownStyles(url.edges), [url.edges]);
  // React Flow is given only what is in sight: it would look through all its nodes on every frame, and mount all of them before it learns that
  // they are too far to be read.
  const tile = useStore(({ transform: [x, y, zoom], width, height }) => (many ? viewportTileOf({ x, y, zoom }, { width, height }) : ""));
  const nodes = useMemo(() => (far ? NO_NODES : inTile(flowNodes.of(picture, density), tile)), [flowNodes, picture, density, tile, far]);
  const bounds = useMemo(
    () =>
      boundsOf(
        [...picture.cards.values()].map((placed) => placed.slot),
        density,
      ),
    [picture, density],
  );
  const selectedId = useMemo(() => findSelected(store.nodes.values(), url.sel)?.id ?? "", [store, url.sel]);
  const hoveredId = useCallback(() => root.current?.querySelector<HTMLElement>("[data-node-id]:hover")?.dataset["nodeId"] ?? "", []);
  const graphView = useGraphView({ session, picture, density, bounds, size, selectedId, hoveredId, address: url });
  useViewAround(around, picture, graphView);
  useMovingCards(root, picture);
  const activate = useCallback(
    (cardId: string) => {
      const placed = session.picture().cards.get(cardId);
      if (placed?.card.type === "fold") {
        graphView.anchor(cardId);
        session.toggleFold(cardId);
        return;
      }
      const ref = store.node(cardId)?.ref;
      if (ref !== undefined) setUrl({ sel: selectionOf(ref), tab: "overview" });
    },
    [session, store, setUrl, graphView],
  );
  useCommand("fit", tLater("resource-graph/graph-fit-everything"), () => graphView.fit());
  useCommand("tidy", tLater("resource-graph/graph-tidy"), () => session.tidy());
  const { onFocusInside, onBlurInside } = useFarFocus(root, far);
  const chosen = useChosenCards(session);
  const { ids: chosenIds, choose } = chosen;
  const onKeyDown = useGraphKeys({ session, density, focus, graphView, root, around, chosen });
  const { cards: hitCards, card: hit } = hits;
  const actions = useMemo<GraphActions>(
    () => ({ density, focus, sel: url.sel, hits: hitCards, hit, chosen: chosenIds, choose, activate }),
    [density, focus, url.sel, hitCards, hit, chosenIds, choose, activate],
  );
  useEffect(() => {
    if (!picture.cards.has(focus.current)) focus.set(readingOrder(picture)[0] ?? "");
  }, [picture, focus]);
  useEffect(() => {
    if (size.width > 0) session.setRoom(roomOf(size));
  }, [session, size]);
  useGoal(hits.goal, { session, picture, graphView, focus, root, isSized: size.width > 0 });
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys belong to the cards inside, and from afar to it */}
      <div
        ref={root}
        className={styles["root"]}
        role="group"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- from afar no card is there that could have the focus
        tabIndex={far ? 0 : -1}
        aria-label={summaryOf(picture)}
        data-detail={detail}
        data-small={useStore((flow) => flow.transform[2] < SMALL_BELOW)}
        onScrollCapture={(event) => {
          // Find in page, screen readers and the like scroll what they look for into sight: move the view instead.
          if (event.target instanceof HTMLElement) graphView.takeScroll(event.target);
        }}
        onBlur={onBlurInside}
        onFocus={(event) => {
          onFocusInside(event);
          // By keyboard only: moving under a pointer that is about to click would lose the click.
          const id = event.target.dataset["nodeId"];
          if (id !== undefined && event.target.matches(":focus-visible")) graphView.showFocused(id);
        }}
        onKeyDown={onKeyDown}
      >
        <ViewVersion root={root} />
        <ViewInAddress graphView={graphView} density={density} size={size} />
        <GraphActionsProvider value={actions}>
          <ReactFlow
            nodes={nodes}
            nodeTypes={NODE_TYPES}
            defaultViewport={graphView.first}
            minZoom={0.02}
            maxZoom={2}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            ariaLabelConfig={NO_KEYS_OF_ITS_OWN}
            panOnScroll
            zoomOnDoubleClick={false}
            deleteKeyCode={null}
            selectionKeyCode={null}
            multiSelectionKeyCode={null}
            proOptions={{ hideAttribution: true }}
            onMoveStart={(event) => {
              if (event === null) return;
              endMove(root);
              graphView.moved();
            }}
            onMoveEnd={() => keepTabStopVisible(root.current, focus)}
            onPaneClick={(event) => {
              const box = root.current?.getBoundingClientRect();
              if (!far || box === undefined) return;
              const found = cardAt(picture, {
                density,
                view: graphView.current(),
                x: event.clientX - box.left,
                y: event.clientY - box.top,
              });
              if (found !== undefined) graphView.show(found, 1);
            }}
          >
            {detail !== "far" && <LineLayer picture={picture} density={density} shown={shown} tile={tile} />}
          </ReactFlow>
        </GraphActionsProvider>
        <CardTip root={root} />
        <Overlays
          picture={picture}
          density={density}
          bounds={bounds}
          size={size}
          far={far}
          onCentre={graphView.centre}
          onShowAll={graphView.showAll}
        />
        <Legend
          picture={picture}
          shown={shown}
          graphView={graphView}
          onEdges={(next) => setUrl({ edges: next })}
          onTidy={() => session.tidy()}
        />
      </div>
      {chosen.nodes.length > 0 && <ChoiceBar nodes={chosen.nodes} hidden={chosen.hidden} onNone={chosen.chooseNone} />}
    </>
  );
}

function inTile(nodes: CardNode[], tile: string): CardNode[] {
  const isShown = boxInTile(tile);
  return nodes.filter(({ position: { x, y }, width = 0, height = 0 }) =>
    isShown({ left: x, top: y, right: x + width, bottom: y + height }),
  );
}

/** When the tab stop has scrolled away and is not in the page any more, the first card that is takes its place. */
function keepTabStopVisible(root: HTMLElement | null, focus: RovingFocus): void {
  if (root === null || root.contains(document.activeElement)) return;
  if (root.querySelector(`[data-node-id="${CSS.escape(focus.current)}"]`) !== null) return;
  const first = root.querySelector<HTMLElement>("[data-node-id]")?.dataset["nodeId"];
  if (first !== undefined) focus.set(first);
}

/** What is in the picture, in one line: the name of the graph for readers. */
function summaryOf(picture: Picture): string {
  let problems = 0;
  for (const { card } of picture.cards.values()) {
    if (card.type !== "fold") problems += card.status >= STATUS.missing ? 1 : 0;
    else for (const [status, count] of card.counts) if (status >= STATUS.missing) problems += count;
  }
  return tLater("resource-graph/summary", { total: picture.total, problems, hidden: picture.hidden || undefined });
}

/** Marks the page with the number and the sending time of the last applied message, for measurements from event to pixel. */
function ViewVersion({ root }: { readonly root: RefObject<HTMLDivElement | null> }): null {
  const { version, sentAtMs } = useView();
  useEffect(() => {
    root.current?.setAttribute("data-view-version", String(version));
    root.current?.setAttribute("data-sent-at", String(sentAtMs));
  }, [root, version, sentAtMs]);
  return null;
}

/** Small windows have small cards. Whether something is chosen does not matter: a click lays nothing out again. */
function useDensity(): Density {
  return useSyncExternalStore(
    (notify) => {
      const small = matchMedia(SMALL_WINDOW);
      small.addEventListener("change", notify);
      return () => small.removeEventListener("change", notify);
    },
    () => (matchMedia(SMALL_WINDOW).matches ? COMPACT : COMFORTABLE),
    () => COMFORTABLE,
  );
}

/**
 * Marks the canvas while cards make room for others, so that styles let them glide there. Cards and the view glide alike: what is kept in
 * place stands still.
 */
function useMovingCards(root: RefObject<HTMLElement | null>, picture: Picture): void {
  // Before React Flow takes the new places.
  useLayoutEffect(() => {
    if (picture.moved) root.current?.setAttribute("data-moving", "");
  }, [root, picture]);
  useEffect(() => {
    if (root.current?.hasAttribute("data-moving") !== true) return undefined;
    const timer = setTimeout(() => endMove(root), MOVE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- every picture may have set the mark
  }, [root, picture]);
}

/** Ends it at once: a person moves the view, and that follows the hand. */
function endMove(root: RefObject<HTMLElement | null>): void {
  root.current?.removeAttribute("data-moving");
}
