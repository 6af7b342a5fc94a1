import { ViewerSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import type { ReactNode } from "react";
import { UserMenu } from "../../src/features/session/user-menu.tsx";
import { Dialog } from "../../src/ui/dialog.tsx";
import { Icon } from "../../src/ui/icon.tsx";
import { KeyboardHelp } from "../../src/ui/app-bar.tsx";
import { MultiChoice } from "../../src/ui/multi-choice.tsx";
import { Tip } from "../../src/ui/tip.tsx";
import type { SpecimenGroup } from "./specimen.ts";
import styles from "./specimen-sheet.module.css";

const KINDS = ["ConfigMap", "Deployment", "HorizontalPodAutoscaler", "Pod"];
const MARA = create(ViewerSchema, {
  username: "mara",
  name: "Mara Lindqvist",
  clusterUsername: "gitlab:user:mara",
  clusterGroups: ["gitlab:user", "gitlab:project_role:1:developer"],
});
const nothing = (): void => undefined;

function choice(chosen: readonly string[], options: readonly string[] = KINDS): ReactNode {
  return <MultiChoice label="Kind" options={options} chosen={chosen} onChange={nothing} />;
}

/** What opens above the page, closed and open. */
export const overlaySpecimens: SpecimenGroup = {
  title: "Menus, dialogs, tips",
  specimens: [
    {
      title: "closed",
      body: (
        <div className={styles["wrap"]}>
          {choice([])}
          {choice(["Pod"])}
          {choice(["Pod", "Deployment"])}
          {choice(["apiextensions.k8s.io/VeryLongCustomResourceDefinitionKindName"])}
          <UserMenu viewer={MARA} />
          <KeyboardHelp />
        </div>
      ),
    },
    { title: "choice, open, none chosen", body: choice([]), openPx: 200 },
    { title: "choice, open, one chosen", body: choice(["Pod"]), openPx: 230 },
    {
      title: "choice, open, a hundred long ones",
      body: choice(
        [],
        Array.from({ length: 100 }, (_, index) => `custom-resource-of-some-operator-with-a-long-name-${index}.example.com`),
      ),
      openPx: 600,
    },
    { title: "choice, open, nothing to choose", body: choice([], []), openPx: 110 },
    {
      title: "user menu, open",
      body: (
        <div className={styles["end"]}>
          <UserMenu viewer={MARA} />
        </div>
      ),
      openPx: 320,
    },
    {
      title: "user menu, open, long names",
      body: (
        <div className={styles["end"]}>
          <UserMenu
            viewer={create(ViewerSchema, {
              username: "x".repeat(255),
              name: "Wolfeschlegelsteinhausenbergerdorff ".repeat(4),
              clusterUsername: "y".repeat(255),
              clusterGroups: Array.from({ length: 60 }, (_, index) => `gitlab:project_role:${index}:developer`),
            })}
          />
        </div>
      ),
      openPx: 600,
    },
    {
      title: "keyboard help, open",
      body: (
        <div className={styles["center"]}>
          <KeyboardHelp />
        </div>
      ),
      openPx: 720,
    },
    {
      title: "dialog, open, long text",
      body: (
        <Dialog title="A dialog" open onClose={nothing}>
          <p style={{ padding: 16 }}>{"A sentence that says something. ".repeat(80)}</p>
        </Dialog>
      ),
      openPx: 720,
    },
    {
      title: "tip, open",
      body: (
        <div className={styles["center"]}>
          <Tip text="Copy link">
            <button type="button" className="btn ghost icon sm" aria-label="Copy link">
              <Icon name="link" />
            </button>
          </Tip>
        </div>
      ),
      openPx: 90,
    },
  ],
};
