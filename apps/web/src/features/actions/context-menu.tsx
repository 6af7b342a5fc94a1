/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no element is a menu of actions */
"use client";
import { ActionRight } from "@binnacle/proto/action-enums";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore, useNode, useView } from "../live/environment-context.tsx";
import { actionKeyOf, knownActions, namesOf } from "./action-intent.ts";
import { ACTION_REQUESTS } from "../resource/node-requests.ts";
import { sentenceOf } from "./attempt-words.ts";
import styles from "./context-menu.module.css";
import { hasActions } from "./lazy-actions.tsx";
import { useActionReview } from "./use-action-review.ts";

interface OpenMenu {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Gets the focus back. */
  readonly from: HTMLElement;
}

/**
 * The menu of the actions of a card or a row, where the browser would open its own; that one comes with Shift, on links, and for what has no
 * actions.
 */
export function ActionContextMenu(): ReactNode {
  const store = useEnvironmentStore();
  const { pause, kept, environment } = useView();
  const [menu, setMenu] = useState<OpenMenu>();
  const isOffered = pause === undefined && !kept && environment !== undefined;
  const onContextMenu = useEffectEvent((event: MouseEvent): void => {
    const { target } = event;
    if (!isOffered || event.shiftKey || !(target instanceof Element) || target.closest("a, input") !== null) return;
    const from = target.closest<HTMLElement>("[data-node-id]");
    const id = from?.dataset["nodeId"] ?? "";
    if (from === null || !hasActions(store.node(id)?.ref)) return;
    event.preventDefault();
    // A key opens it where the card is.
    const { left, bottom } = from.getBoundingClientRect();
    const isByKey = event.button !== 2;
    setMenu({ id, from, x: isByKey ? left : event.clientX, y: isByKey ? bottom : event.clientY });
  });
  useEffect(() => {
    const listener = (event: MouseEvent): void => onContextMenu(event);
    document.addEventListener("contextmenu", listener);
    return () => document.removeEventListener("contextmenu", listener);
  }, []);
  if (menu === undefined || !isOffered) return null;
  return <Menu key={`${menu.id} ${menu.x} ${menu.y}`} menu={menu} environment={environment} onClose={() => setMenu(undefined)} />;
}

function Menu(props: {
  readonly menu: OpenMenu;
  readonly environment: { readonly projectPath: string; readonly name: string };
  readonly onClose: () => void;
}): ReactNode {
  const { menu, environment, onClose } = props;
  const node = useNode(menu.id);
  const [, setUrl] = useUrlState();
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = panel.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(menu.x, innerWidth - width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(menu.y, innerHeight - height - 8))}px`;
  });
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
  }, []);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onPress = (event: Event): void => {
      if (!(event.target instanceof Node && panel.current?.contains(event.target) === true)) close();
    };
    const onMove = (): void => close();
    document.addEventListener("pointerdown", onPress, true);
    document.addEventListener("wheel", onMove, true);
    addEventListener("resize", onMove);
    return () => {
      document.removeEventListener("pointerdown", onPress, true);
      document.removeEventListener("wheel", onMove, true);
      removeEventListener("resize", onMove);
    };
  }, []);
  if (node?.ref === undefined) return null;
  const { ref } = node;
  const leave = (): void => {
    onClose();
    menu.from.focus({ preventScroll: true });
  };
  const go = (key: string | undefined): void => {
    onClose();
    setUrl({ sel: selectionOf(ref) });
    if (key !== undefined) ACTION_REQUESTS.send(node.id, key);
  };
  return (
    // A landmark of its own: it stands beside the content of the page.
    <section aria-label={tLater("actions/actions")}>
      <div
        ref={panel}
        className={styles["menu"]}
        role="menu"
        aria-label={tLater("actions/menu", { kind: ref.kind, name: ref.name })}
        tabIndex={-1}
        onKeyDown={(event) => onMenuKey(event, leave)}
      >
        <button type="button" role="menuitem" tabIndex={-1} onClick={() => go(undefined)}>
          {tLater("actions/open-details")}
        </button>
        <MenuActions projectPath={environment.projectPath} environment={environment.name} node={node} onChoose={go} />
      </div>
    </section>
  );
}

/** What the review offers. A refused action leads to its reason in the drawer. */
function MenuActions({ onChoose, ...of }: Parameters<typeof useActionReview>[0] & { readonly onChoose: (key: string) => void }): ReactNode {
  const review = useActionReview(of, true);
  if (review.answer === undefined) {
    const text = review.problem === undefined ? tLater("actions/many-asking") : sentenceOf(review.problem);
    return <p>{tLater("actions/note", { sentence: text })}</p>;
  }
  return knownActions(review.answer).map((action) => {
    const { kind, right } = action;
    const key = actionKeyOf(action);
    const texts = namesOf(kind);
    if (texts === undefined) return null;
    const isAllowed = right === ActionRight.ALLOWED;
    const isDenied = right === ActionRight.DENIED;
    const name = tLater(isAllowed ? texts.button : texts.confirm, { label: action.label });
    const label = isAllowed ? name : tLater(isDenied ? "actions/denied-name" : "actions/not-known-name", { action: name });
    return (
      <button
        key={key}
        type="button"
        role="menuitem"
        tabIndex={-1}
        aria-label={label}
        data-refused={!isAllowed}
        onClick={() => onChoose(key)}
      >
        {name}
        {!isAllowed && <StateGlyph look={isDenied ? "locked" : "unknown"} size={12} />}
      </button>
    );
  });
}

/** Arrows, Home and End go round; Escape and Tab leave (ARIA Authoring Practices, "Menu"). No other key reaches the page. */
function onMenuKey(event: KeyboardEvent<HTMLElement>, leave: () => void): void {
  event.stopPropagation();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === "Escape" || event.key === "Tab") leave();
  else if (next !== undefined) items.at(next % items.length)?.focus();
  else return;
  event.preventDefault();
}
