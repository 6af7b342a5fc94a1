import type { ShortcutTable } from "./shortcut.ts";

/** What acts while the focus is in a part of the page (`runLocalKey`). The help lists this table, and what takes keys asks it. */
export const LOCAL_SHORTCUTS = {
  find: {
    next: { keys: ["Enter"], does: "Next match" },
    previous: { keys: ["Shift+Enter"], does: "Previous match" },
    down: { keys: ["ArrowDown"], does: "To the match" },
    leave: { keys: ["Escape"], does: "To the match; where there is none, clear the field" },
  },
  graph: {
    along: { keys: ["ArrowRight"], does: "Along a line, to children" },
    back: { keys: ["ArrowLeft"], does: "Along a line, to parents" },
    up: { keys: ["ArrowUp"], does: "To the neighbour above" },
    down: { keys: ["ArrowDown"], does: "To the neighbour below" },
    open: { keys: ["Enter"], does: "Open the resource or the fold; from afar, go to a card" },
    fold: { keys: [" "], does: "Open a fold; fold again what came out of one" },
    nextProblem: { keys: ["n"], does: "Next problem" },
    previousProblem: { keys: ["N"], does: "Previous problem" },
    fit: { keys: ["f"], does: "Fit everything" },
    whole: { keys: ["0"], does: "Zoom to 100 %" },
    closer: { keys: ["+", "="], does: "Zoom in" },
    farther: { keys: ["-"], does: "Zoom out" },
  },
  list: {
    down: { keys: ["ArrowDown", "j"], does: "Next row" },
    up: { keys: ["ArrowUp", "k"], does: "Previous row" },
    first: { keys: ["Home"], does: "First row" },
    last: { keys: ["End"], does: "Last row" },
    pageDown: { keys: ["PageDown"], does: "A screen down" },
    pageUp: { keys: ["PageUp"], does: "A screen up" },
    open: { keys: ["Enter"], does: "Open the resource" },
    choose: { keys: ["x", " "], does: "Choose the row, or leave it out again" },
    chooseDown: { keys: ["Shift+ArrowDown", "J"], does: "Choose on to the next row" },
    chooseUp: { keys: ["Shift+ArrowUp", "K"], does: "Choose on to the previous row" },
    chooseAll: { keys: ["Mod+a"], does: "Choose all rows" },
    nextProblem: { keys: ["n"], does: "Next problem" },
    previousProblem: { keys: ["N"], does: "Previous problem" },
    clear: { keys: ["Escape"], does: "Choose nothing" },
  },
  heads: {
    left: { keys: ["ArrowLeft"], does: "Column to the left" },
    right: { keys: ["ArrowRight"], does: "Column to the right" },
    first: { keys: ["Home"], does: "First column" },
    last: { keys: ["End"], does: "Last column" },
  },
  tree: {
    into: { keys: ["ArrowRight"], does: "Open a branch, then into it" },
    out: { keys: ["ArrowLeft"], does: "Close a branch, then to its parent" },
    down: { keys: ["ArrowDown", "j"], does: "Next row" },
    up: { keys: ["ArrowUp", "k"], does: "Previous row" },
    first: { keys: ["Home"], does: "First row" },
    last: { keys: ["End"], does: "Last row" },
    twist: { keys: [" "], does: "Open or close a branch" },
    open: { keys: ["Enter"], does: "Open the resource" },
    nextProblem: { keys: ["n"], does: "Next problem" },
    previousProblem: { keys: ["N"], does: "Previous problem" },
  },
} as const satisfies ShortcutTable;

type Table = typeof LOCAL_SHORTCUTS;

/** A part of the page that takes keys while the focus is in it. */
export type LocalScope = keyof Table;

/** Names of what the keys of a part do. */
export type ShortcutOf<Scope extends LocalScope> = keyof Table[Scope] & string;
