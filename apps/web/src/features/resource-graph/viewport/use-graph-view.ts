"use client";
import { useReactFlow } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import {
  boundsOf,
  centredOn,
  firstView,
  fitView,
  isSeenWhole,
  pointOf,
  type Bounds,
  type Density,
  type Size,
  type View,
  isInView,
  type Point,
  LEGEND_PX,
  isInSight,
  panInto,
  type Box,
} from "@binnacle/presentation/drawing/geometry";
import { viewAt } from "./view-place.ts";
import type { UrlState } from "../../address/url-state.ts";
import { HEALTHY_FOLD } from "@binnacle/presentation/layout/healthy-branches";
import type { GraphSession } from "../picture/graph-session.ts";
import type { Picture } from "../picture/picture.ts";

/** How the canvas is looked at, and how to change that. Stable. */
export interface GraphView {
  readonly first: View;
  readonly current: () => View;
  /** A person moved the view: it is theirs from now on. */
  readonly moved: () => void;
  /** Whether a person has chosen where to look, or a link has: what follows by itself from something else is not chosen. */
  readonly isChosen: () => boolean;
  /** Looks at a place of the address; nothing where no card is. */
  readonly goTo: (place: string) => void;
  /** Keep this card where it is on the screen over the next change of layout. */
  readonly anchor: (cardId: string) => void;
  /** Moves the view just so far that the card is seen; `zoom` enlarges to at least that. */
  readonly show: (cardId: string, zoom?: number) => void;
  /**
   * The same for a card that has the focus, without effect on one that is seen whole: the page itself moves the focus after a navigation, and the
   * first view, which follows the layout while data comes in, ends with what a person does.
   */
  readonly showFocused: (cardId: string) => void;
  /** Moves the view just so far that these are seen, or the first of them if they do not fit. */
  readonly showAll: (cardIds: readonly string[]) => void;
  readonly centre: (x: number, y: number) => void;
  /** Turns the scrolling of an element of the canvas into a move of the view. */
  readonly takeScroll: (element: HTMLElement) => void;
  readonly fit: () => void;
  readonly zoomTo: (zoom: number) => void;
}

interface KeptOptions {
  readonly picture: Picture;
  readonly density: Density;
  readonly size: Size;
  readonly selectedId: string;
  /** The card under the pointer, if any. */
  readonly hoveredId: () => string;
}

/** Where the minimap lies (viewport.module.css); a narrow page has none, nor has a picture that is seen whole. */
function minimapBox({ bounds, size }: Pick<Options, "bounds" | "size">, view: View): Box | undefined {
  const { width, height } = size;
  return width <= 720 || isSeenWhole(bounds, view, size) ? undefined : { left: 14, top: height - 104, right: 194, bottom: height - 12 };
}

interface Options {
  readonly session: GraphSession;
  readonly picture: Picture;
  readonly density: Density;
  readonly bounds: Bounds;
  readonly size: Size;
  readonly selectedId: string;
  /** The card under the pointer, if any. */
  readonly hoveredId: () => string;
  readonly address: Pick<UrlState, "at" | "sel">;
}

/** Owns the view: the first one, jumps, and the anchor that keeps what one looks at in place. */
export function useGraphView(options: Options): GraphView {
  const flow = useReactFlow();
  const latest = useRef(options);
  // Before the effects below and everything a person does; a render that is thrown away leaves no trace.
  useLayoutEffect(() => {
    latest.current = options;
  });
  const state = useRef({ moved: false, chosen: false, anchorId: "", anchorAt: { x: 0, y: 0 } });
  /** What the link says that the page was opened with. */
  const link = useRef(options.address);
  const view = useMemo<GraphView>(() => {
    const placeOf = (cardId: string): { readonly x: number; readonly y: number } | undefined => {
      const placed = latest.current.session.picture().cards.get(cardId);
      return placed === undefined ? undefined : pointOf(placed.slot, latest.current.density);
    };
    const set = (next: View): void => void flow.setViewport(next); // resolves after the next paint; nothing waits for it
    const choose = (): void => {
      state.current.moved = true;
      state.current.chosen = true;
    };
    const show = (cardId: string, zoom?: number): void => {
      const point = placeOf(cardId);
      if (point === undefined) return;
      state.current.moved = true;
      const { size, density, bounds: whole } = latest.current;
      const at = flow.getViewport();
      const scale = Math.max(at.zoom, zoom ?? 0.5);
      const card = { ...point, width: density.width, height: density.height + density.strip };
      const view = scale === at.zoom ? at : centredOn(card, scale, { size, bounds: whole });
      const pan = panInto(card, view, { size, cover: minimapBox({ bounds: whole, size }, view) });
      if (pan.x !== at.x || pan.y !== at.y || scale !== at.zoom) set(pan);
    };
    return {
      first: { x: 0, y: 0, zoom: 1 },
      current: () => flow.getViewport(),
      moved: choose,
      isChosen: () => state.current.chosen,
      goTo(place) {
        const { size, density, bounds } = latest.current;
        const next = viewAt(place, { size, density }, bounds);
        if (next === undefined) return;
        choose();
        set(next);
      },
      anchor(cardId) {
        const point = placeOf(cardId);
        if (point === undefined) return;
        state.current.anchorId = cardId;
        state.current.anchorAt = point;
        state.current.moved = true;
      },
      show,
      showFocused(cardId) {
        const point = placeOf(cardId);
        const { size, density, bounds } = latest.current;
        const [card, view] = [point && { ...point, width: density.width, height: density.height }, flow.getViewport()];
        if (card !== undefined && !isInSight(card, view, { size, cover: minimapBox({ bounds, size }, view) })) show(cardId);
      },
      showAll(cardIds) {
        const { size, density, session } = latest.current;
        const slots = cardIds.flatMap((id) => session.picture().cards.get(id)?.slot ?? []);
        if (slots.length === 0) return;
        choose();
        set(panInto(boundsOf(slots, density), flow.getViewport(), { size }));
      },
      centre(x, y) {
        choose();
        const { size } = latest.current;
        const { zoom } = flow.getViewport();
        set({ x: size.width / 2 - x * zoom, y: size.height / 2 - y * zoom, zoom });
      },
      takeScroll(element) {
        const { scrollLeft, scrollTop } = element;
        if (scrollLeft === 0 && scrollTop === 0) return;
        element.scrollTo({ left: 0, top: 0 });
        choose();
        const at = flow.getViewport();
        set({ ...at, x: at.x - scrollLeft, y: at.y - scrollTop });
      },
      fit() {
        choose();
        set(fitView(latest.current.bounds, latest.current.size));
      },
      zoomTo(zoom) {
        choose();
        const { size } = latest.current;
        const at = flow.getViewport();
        const next = Math.min(2, Math.max(0.02, zoom));
        const factor = next / at.zoom;
        set({ x: size.width / 2 - (size.width / 2 - at.x) * factor, y: size.height / 2 - (size.height / 2 - at.y) * factor, zoom: next });
      },
    };
  }, [flow]);
  const { picture, density, bounds, size, selectedId } = options;
  const stay = useCallback(() => {
    state.current.moved = true;
  }, []);
  useKeptCard(options, stay);
  // Until a person moves the view it shows the beginning of what has come so far.
  useEffect(() => {
    if (size.width === 0 || picture.version === 0) return;
    const { current } = state;
    if (current.anchorId !== "") {
      const placed =
        picture.cards.get(current.anchorId) ?? [...picture.cards.values()].find((each) => each.card.foldId === current.anchorId);
      current.anchorId = "";
      if (placed === undefined) return;
      const point = pointOf(placed.slot, density);
      const at = flow.getViewport();
      const shift = { x: (current.anchorAt.x - point.x) * at.zoom, y: (current.anchorAt.y - point.y) * at.zoom };
      if (shift.x !== 0 || shift.y !== 0) void flow.setViewport({ ...at, x: at.x + shift.x, y: at.y + shift.y });
    } else if (!current.moved) {
      const linked = viewAt(link.current.at, { size, density }, bounds);
      current.chosen = linked !== undefined;
      void flow.setViewport(linked ?? firstView(bounds, size));
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new layout, another density or another size move the view
  }, [picture.layoutVersion, density, size]);
  useEffect(() => {
    if (size.width === 0) return;
    latest.current.session.lookAt(selectedId);
    if (selectedId === "") return;
    const { moved, chosen } = state.current;
    if (link.current.sel !== options.address.sel) link.current = { ...link.current, sel: "" };
    const isOfLink = chosen && !moved && link.current.sel !== "";
    // What a link leads to opens large enough to be read, unless it says where to look; what is chosen in the picture stays as large as it is.
    if (picture.cards.has(selectedId)) return isOfLink ? undefined : view.show(selectedId, moved || chosen ? undefined : 1);
    for (const { card } of picture.cards.values()) {
      if (card.id.startsWith(HEALTHY_FOLD) || !card.members.includes(selectedId)) continue;
      latest.current.session.setOpen([...latest.current.session.picture().open, card.id]);
      return;
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per selection and layout, not with every change
  }, [selectedId, density, size, picture.layoutVersion, view]);
  return view;
}

/** Making room for new cards does not move the card that is read: the card under the pointer, else the chosen one, stays where it is on the screen. */
function useKeptCard({ picture, density, size, selectedId, hoveredId }: KeptOptions, moved: () => void): void {
  const flow = useReactFlow();
  const kept = useRef<{ readonly id: string; readonly at: Point; readonly layoutVersion: number; readonly density: Density }>(undefined);
  useEffect(() => {
    const before = kept.current;
    const placed = before === undefined ? undefined : picture.cards.get(before.id);
    if (before !== undefined && placed !== undefined && before.layoutVersion === picture.layoutVersion && before.density === density) {
      const at = pointOf(placed.slot, density);
      const view = flow.getViewport();
      const shift = { x: (before.at.x - at.x) * view.zoom, y: (before.at.y - at.y) * view.zoom };
      if ((shift.x !== 0 || shift.y !== 0) && isInView(before.at, { density, view, size })) {
        moved();
        void flow.setViewport({ ...view, x: view.x + shift.x, y: view.y + shift.y });
      }
    }
  }, [picture, density, size, flow, moved]);
  // What is under the pointer when the next picture comes is not known before: it is looked at again whenever the pointer may have moved.
  useEffect(() => {
    const look = (): void => {
      const id = hoveredId() || selectedId;
      const placed = picture.cards.get(id);
      kept.current =
        placed === undefined ? undefined : { id, at: pointOf(placed.slot, density), layoutVersion: picture.layoutVersion, density };
    };
    look();
    addEventListener("pointermove", look, { passive: true });
    return () => removeEventListener("pointermove", look);
  }, [picture, density, selectedId, hoveredId]);
}

/** How large the canvas is, without the legend below it; nothing before it is in the page. */
export function useCanvasSize(root: RefObject<HTMLDivElement | null>): Size {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight - LEGEND_PX }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [root]);
  return size;
}
