"use client";
import { useState, type ReactNode } from "react";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { tLater } from "../../ui/messages.ts";
import { useView } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { manyKinds } from "./many-run.ts";

const LAZY_DIALOG = new LazyCode(async () => (await import("./many-dialog.tsx")).ManyDialog);

/** Opens the actions of all chosen resources; nothing where none has any, and while what is shown is not what is. */
export function ManyActions({ nodes }: { readonly nodes: readonly LiveNode[] }): ReactNode {
  const { pause, kept, environment, viewer } = useView();
  // As they were chosen: what changes behind the dialog changes neither its rows nor what is confirmed.
  const [opened, setOpened] = useState<readonly LiveNode[]>();
  const { code: Dialog } = useLazyCode(LAZY_DIALOG, opened !== undefined);
  if (environment === undefined || pause !== undefined || kept || manyKinds(nodes).length === 0) return null;
  const { projectPath, name } = environment;
  return (
    <>
      <button type="button" className="btn sm" aria-haspopup="dialog" onClick={() => setOpened(nodes)}>
        {tLater("actions/many")}
      </button>
      {opened !== undefined && Dialog !== undefined && (
        <Dialog
          of={{ username: viewer?.username ?? "", projectPath, environment: name }}
          nodes={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}
