"use client";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useCommand } from "../../ui/commands.ts";
import { focusContent, takeFocusAlong } from "../../ui/focus-content.ts";
import { usePageKey } from "../../ui/keys/use-page-key.ts";
import { useCopy } from "../../ui/use-copy.ts";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { ActionContextMenu } from "../actions/context-menu.tsx";
import { ACTION_REQUESTS } from "../resource/node-requests.ts";
import { hasActions } from "../actions/lazy-actions.tsx";
import { indexPath } from "../address/route-path.ts";
import { selectionOf, type DrawerTab, type EnvironmentView } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore, useView } from "../live/environment-context.tsx";
import { findSelected } from "../live/selected-node.ts";
import { hasLogs } from "../resource/has-logs.ts";
import { tLater } from "../../ui/messages.ts";
import styles from "./environment.module.css";

const LAZY_SYNCS = new LazyCode(async () => (await import("../actions/sync-palette.tsx")).SyncPalette);

/** Keys of an environment's page that act wherever the focus is, the same for the command palette, and the menu of a card. Says when a link was copied. */
export function EnvironmentKeys({ projectPath }: { readonly projectPath: string }): ReactNode {
  const store = useEnvironmentStore();
  const { environment } = useView();
  const router = useRouter();
  const [url, setUrl] = useUrlState();
  const hasSyncs = (environment?.delivery?.sync?.value?.syncs.length ?? 0) > 0;
  const { code: SyncPalette } = useLazyCode(LAZY_SYNCS, hasSyncs);
  const [copied, copy] = useCopy(() => location.href);
  const show = (view: EnvironmentView) => () => {
    if (view === url.view && url.full === "") {
      focusContent();
    } else {
      takeFocusAlong();
      setUrl({ view, full: "" });
    }
  };
  const chosen = (): string => {
    const ref = store.node(focusedId())?.ref;
    return ref === undefined ? url.sel : selectionOf(ref);
  };
  const open = (tab: DrawerTab) => (): void => {
    const sel = chosen();
    if (sel !== "") setUrl({ sel, tab });
  };
  const openTerminal = (): void => {
    const sel = chosen();
    if (sel.startsWith("core/pods/") && environment?.terminal === true) setUrl({ sel, tab: "terminal" });
  };
  const openActions = (): void => {
    const node = store.node(focusedId()) ?? findSelected(store.nodes.values(), url.sel);
    if (node?.ref === undefined || !hasActions(node.ref)) return;
    setUrl({ sel: selectionOf(node.ref) });
    ACTION_REQUESTS.send(node.id, undefined);
  };
  const openLogs = (): void => {
    const ref = (store.node(focusedId()) ?? findSelected(store.nodes.values(), url.sel))?.ref;
    if (ref !== undefined && hasLogs(ref)) setUrl({ sel: selectionOf(ref), tab: "logs" });
  };
  usePageKey("index", () => router.push(indexPath(projectPath)));
  usePageKey("summary", show("summary"));
  usePageKey("graph", show("graph"));
  usePageKey("list", show("list"));
  usePageKey("events", show("events"));
  usePageKey("logs", show("logs"));
  usePageKey("yaml", open("yaml"));
  usePageKey("terminal", openTerminal);
  usePageKey("resourceEvents", open("events"));
  usePageKey("actions", openActions);
  usePageKey("resourceLogs", openLogs);
  usePageKey("copy", copy);
  useCommand("summary", tLater("environment/show-the-summary"), show("summary"));
  useCommand("graph", tLater("environment/show-the-graph"), show("graph"));
  useCommand("list", tLater("environment/show-the-list"), show("list"));
  useCommand("events", tLater("environment/show-the-events"), show("events"));
  useCommand("logs", tLater("environment/show-the-logs"), show("logs"));
  useCommand("tree", url.tree ? tLater("environment/graph-show-as-graph") : tLater("environment/graph-show-as-tree"), () =>
    setUrl({ view: "graph", tree: !url.tree, full: "" }),
  );
  useCommand("problems", url.onlyProblems ? tLater("environment/show-all-resources") : tLater("environment/show-only-problems"), () =>
    setUrl({ onlyProblems: !url.onlyProblems, full: "" }),
  );
  useCommand("copy", tLater("environment/copy-link"), copy);
  return (
    <>
      <output className={copied ? styles["copied"] : "visually-hidden"}>{copied ? tLater("ui/link-copied") : ""}</output>
      <ActionContextMenu />
      {SyncPalette !== undefined && <SyncPalette />}
    </>
  );
}

/** Id of the node that has the focus; empty for none. */
function focusedId(): string {
  return document.activeElement?.closest<HTMLElement>("[data-node-id]")?.dataset["nodeId"] ?? "";
}
