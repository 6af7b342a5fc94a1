"use client";
import { useEffect, useState, type RefObject } from "react";
import { CardHover, type HoveredCard } from "./card-hover.ts";

/** The card of the graph that somebody wants to know more of. @param root what holds the cards, and what is told of them */
export function useHoveredCard(root: RefObject<HTMLElement | null>): HoveredCard | undefined {
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
    // Who opens a card is told of it elsewhere now, and the next Escape is for what was opened.
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
