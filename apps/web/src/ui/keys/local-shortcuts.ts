import type { ShortcutTable } from "./shortcut.ts";

/** What acts while the focus is in a part of the page (`runLocalKey`). The help lists this table, and what takes keys asks it. */
export const LOCAL_SHORTCUTS = {
  find: {
    next: { keys: ["Enter"], does: "find/next-match" },
    previous: { keys: ["Shift+Enter"], does: "find/previous-match" },
    down: { keys: ["ArrowDown"], does: "keys/to-the-match" },
    leave: { keys: ["Escape"], does: "keys/match-or-clear" },
  },
  graph: {
    along: { keys: ["ArrowRight"], does: "keys/along-line-children" },
    back: { keys: ["ArrowLeft"], does: "keys/along-line-parents" },
    up: { keys: ["ArrowUp"], does: "keys/neighbour-above" },
    down: { keys: ["ArrowDown"], does: "keys/neighbour-below" },
    open: { keys: ["Enter"], does: "keys/open-or-approach" },
    fold: { keys: [" "], does: "keys/open-fold-fold" },
    choose: { keys: ["x"], does: "keys/choose-card" },
    chooseNone: { keys: ["Escape"], does: "find/chosen/none" },
    moreHops: { keys: ["]"], does: "keys/more-hops" },
    fewerHops: { keys: ["["], does: "keys/fewer-hops" },
    nextProblem: { keys: ["n"], does: "keys/next-problem" },
    previousProblem: { keys: ["N"], does: "keys/previous-problem" },
    fit: { keys: ["f"], does: "keys/fit-everything" },
    whole: { keys: ["0"], does: "keys/zoom-to-100" },
    closer: { keys: ["+", "="], does: "resource-graph/zoom-in" },
    farther: { keys: ["-"], does: "resource-graph/zoom-out" },
  },
  list: {
    down: { keys: ["ArrowDown", "j"], does: "keys/next-row" },
    up: { keys: ["ArrowUp", "k"], does: "keys/previous-row" },
    first: { keys: ["Home"], does: "keys/first-row" },
    last: { keys: ["End"], does: "keys/last-row" },
    pageDown: { keys: ["PageDown"], does: "keys/a-screen-down" },
    pageUp: { keys: ["PageUp"], does: "keys/a-screen-up" },
    open: { keys: ["Enter"], does: "keys/open-the-resource" },
    choose: { keys: ["x", " "], does: "keys/choose-row" },
    chooseDown: { keys: ["Shift+ArrowDown", "J"], does: "keys/choose-on-next" },
    chooseUp: { keys: ["Shift+ArrowUp", "K"], does: "keys/choose-on-previous" },
    chooseAll: { keys: ["Mod+a"], does: "keys/choose-all-rows" },
    nextProblem: { keys: ["n"], does: "keys/next-problem" },
    previousProblem: { keys: ["N"], does: "keys/previous-problem" },
    clear: { keys: ["Escape"], does: "find/chosen/none" },
  },
  heads: {
    left: { keys: ["ArrowLeft"], does: "keys/column-left" },
    right: { keys: ["ArrowRight"], does: "keys/column-right" },
    first: { keys: ["Home"], does: "keys/first-column" },
    last: { keys: ["End"], does: "keys/last-column" },
  },
  tree: {
    into: { keys: ["ArrowRight"], does: "keys/open-branch" },
    out: { keys: ["ArrowLeft"], does: "keys/close-branch" },
    down: { keys: ["ArrowDown", "j"], does: "keys/next-row" },
    up: { keys: ["ArrowUp", "k"], does: "keys/previous-row" },
    first: { keys: ["Home"], does: "keys/first-row" },
    last: { keys: ["End"], does: "keys/last-row" },
    twist: { keys: [" "], does: "keys/open-or-close" },
    open: { keys: ["Enter"], does: "keys/open-the-resource" },
    moreHops: { keys: ["]"], does: "keys/more-hops" },
    fewerHops: { keys: ["["], does: "keys/fewer-hops" },
    nextProblem: { keys: ["n"], does: "keys/next-problem" },
    previousProblem: { keys: ["N"], does: "keys/previous-problem" },
  },
} as const satisfies ShortcutTable;

type Table = typeof LOCAL_SHORTCUTS;

/** A part of the page that takes keys while the focus is in it. */
export type LocalScope = keyof Table;

/** Names of what the keys of a part do. */
export type ShortcutOf<Scope extends LocalScope> = keyof Table[Scope] & string;
