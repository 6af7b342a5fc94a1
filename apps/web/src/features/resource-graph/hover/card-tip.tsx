"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import { useCallback, useEffect, useId, useState, type CSSProperties, type ReactNode, type RefObject } from "react";
import { useLazyCode, LazyCode } from "../../../ui/lazy-code.ts";
import { useNode, useView } from "../../live/environment-context.tsx";
import { metricsOfKind } from "../../metrics/measured-kinds.ts";
import styles from "./card-tip.module.css";
import { type HoveredCard, CardHover } from "./card-hover.ts";

/** What a card says of CPU and memory while a pointer rests on it, with what asks for it. */
const LAZY_CARD_METRICS = new LazyCode(async () => (await import("../../metrics/card-metrics.tsx")).CardMetrics);

const WIDTH = 320;
const GAP = 8;
/** So much room there must be above a card, or it opens below. */
const HEIGHT = 160;

/** Figures of the card that a pointer rests on, or that has the keyboard's focus, beside it. Escape takes them away (WCAG 2.2, 1.4.13). */
export function CardTip({ root }: { readonly root: RefObject<HTMLElement | null> }): ReactNode {
  const card = useHoveredCard(root);
  return card === undefined ? null : <OfCard key={card.id} card={card} root={root} />;
}

function OfCard({ card, root }: { readonly card: HoveredCard; readonly root: RefObject<HTMLElement | null> }): ReactNode {
  const node = useNode(card.id);
  const { kept } = useView();
  const ref = node?.ref;
  const isMeasured = ref !== undefined && node?.presence === Presence.PRESENT && !kept && metricsOfKind(ref).length > 1;
  const { code: Metrics } = useLazyCode(LAZY_CARD_METRICS, isMeasured);
  const [isShown, setShown] = useState(false);
  const shown = useCallback(() => setShown(true), []);
  const id = useId();
  const { element } = card;
  useEffect(() => {
    if (!isShown) return undefined;
    element.setAttribute("aria-describedby", id);
    return () => element.removeAttribute("aria-describedby");
  }, [element, id, isShown]);
  if (!isMeasured || ref === undefined || node === undefined || Metrics === undefined) return null;
  return (
    <div id={id} role="tooltip" className={styles["tip"]} style={placeOf(element, root.current)} data-card-tip="">
      <Metrics subject={{ id: node.id, life: node.life, ref }} onShown={shown} />
    </div>
  );
}

/** Above the card or, where there is no room, below; never beyond the edges of the graph. */
function placeOf(card: HTMLElement, root: HTMLElement | null): CSSProperties {
  if (root === null) return {};
  const [of, all] = [card.getBoundingClientRect(), root.getBoundingClientRect()];
  const left = Math.max(GAP, Math.min(of.left - all.left, all.width - WIDTH - GAP));
  return of.top - all.top >= HEIGHT ? { left, bottom: all.bottom - of.top + GAP } : { left, top: of.bottom - all.top + GAP };
}

/** The tip of the card that the pointer rests on. @param root contains the cards and the tip */
function useHoveredCard(root: RefObject<HTMLElement | null>): HoveredCard | undefined {
  const [card, setCard] = useState<HoveredCard>();
  useEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    const hover = new CardHover(setCard);
    const leave = new AbortController();
    const { signal } = leave;
    const cardOf = (target: EventTarget | null): HTMLElement | undefined =>
      (target instanceof Element ? target.closest<HTMLElement>("button[data-node-id]") : undefined) ?? undefined;
    element.addEventListener(
      "pointermove",
      ({ target, pointerType }) => {
        if (pointerType === "touch" || !(target instanceof Element)) return;
        if (target.closest("[data-card-tip]") === null) hover.over(cardOf(target));
        else hover.stay();
      },
      { signal },
    );
    element.addEventListener("pointerleave", () => hover.over(undefined), { signal });
    element.addEventListener(
      "focusin",
      ({ target }) => {
        if (target instanceof Element && target.matches(":focus-visible")) hover.over(cardOf(target));
      },
      { signal },
    );
    element.addEventListener("focusout", () => hover.over(undefined), { signal });
    for (const type of ["pointerdown", "wheel"] as const) element.addEventListener(type, () => hover.dismiss(), { signal, passive: true });
    // An opened card has its details elsewhere, and the next Escape is for what was opened.
    element.addEventListener("keydown", ({ key }) => key === "Enter" && hover.dismiss(), { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        // A card that was opened has been pressed, by whatever: its drawer is read now, and Escape is for that.
        if (event.key === "Enter") hover.dismiss();
        if (event.key !== "Escape" || !hover.isShown) return;
        // It takes this away, and nothing else.
        event.preventDefault();
        event.stopPropagation();
        hover.dismiss();
      },
      { signal, capture: true },
    );
    return () => {
      leave.abort();
      hover.close();
    };
  }, [root]);
  return card;
}
