"use client";
import { Fragment, useState, type ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import styles from "./keyboard-help.module.css";
import { Tip } from "./tip.tsx";
import { usePageKey } from "./use-page-key.ts";

interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** The keys that exist; whoever adds one adds it here. */
const SHORTCUTS: readonly { readonly where: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    where: "Everywhere",
    shortcuts: [
      { keys: ["?"], does: "Show this help" },
      { keys: ["/"], does: "Go to the search field" },
      { keys: ["h"], does: "Hold the picture of an environment while you read, and go on" },
      { keys: ["Esc"], does: "Close the drawer, panel or menu; clear the search" },
    ],
  },
  {
    where: "Graph",
    shortcuts: [
      { keys: ["←", "→"], does: "Along the lines, to parents and children" },
      { keys: ["↑", "↓"], does: "To the neighbour above or below" },
      { keys: ["Enter"], does: "Open the resource" },
      { keys: ["Space"], does: "Fold again what came out of a fold" },
      { keys: ["n", "N"], does: "Next and previous problem" },
      { keys: ["f"], does: "Fit everything" },
      { keys: ["0"], does: "Zoom to 100 %" },
      { keys: ["+", "-"], does: "Zoom in and out" },
    ],
  },
  {
    where: "Tree",
    shortcuts: [
      { keys: ["←", "→"], does: "Close and open a branch" },
      { keys: ["↑", "↓", "Home", "End"], does: "Move through the rows" },
      { keys: ["Space"], does: "Open or close a branch" },
      { keys: ["Enter"], does: "Open the resource" },
    ],
  },
  { where: "Drawer", shortcuts: [{ keys: ["←", "→"], does: "On a tab: previous and next tab. On the edge: wider and narrower" }] },
];

/** The button and the dialog it opens; the key `?` opens it too. */
export function KeyboardHelp(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  usePageKey("?", () => setOpen(true));
  return (
    <>
      <Tip text="Keyboard help (?)">
        <button
          type="button"
          className={`btn ghost icon sm ${styles["button"]}`}
          aria-label="Keyboard help"
          aria-haspopup="dialog"
          aria-keyshortcuts="?"
          onClick={() => setOpen(true)}
        >
          ?
        </button>
      </Tip>
      <Dialog title="Keyboard" open={isOpen} onClose={() => setOpen(false)}>
        <Shortcuts />
      </Dialog>
    </>
  );
}

/** All keys, by where they act. */
function Shortcuts(): ReactNode {
  return (
    <div className={styles["body"]}>
      {SHORTCUTS.map(({ where, shortcuts }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl>
            {shortcuts.map(({ keys, does }) => (
              <Fragment key={keys.join(" ")}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
