/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <hr> cannot be moved */
"use client";
import { useEffect, useLayoutEffect, useRef, type CSSProperties, type ReactNode, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useLazyCode } from "../../ui/lazy-code.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tip } from "../../ui/tip.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { useNow } from "../../ui/use-now.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import type { EnvironmentStore } from "../live/environment-store.ts";
import { iconOfKind } from "@binnacle/presentation/health/kind-words";
import { ResourceActions } from "../actions/lazy-actions.tsx";
import type { DrawerTab } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { clusterNodeOf, isClusterNode } from "../resource/cluster-node-link.tsx";
import { clusterNode, revisionOfPodsOn } from "./cluster-node/cluster-node.ts";
import styles from "./drawer.module.css";
import type { DrawerDetailsProps } from "./drawer-details.tsx";
import { shownTabs, TABS } from "./drawer-tabs.ts";
import { LAZY_DEPARTED, LAZY_DETAILS } from "./lazy-details.ts";
import { NodeAge } from "./node-age.tsx";
import { selectedNode, type SelectedNode } from "../live/selected-node.ts";
import { t } from "../../ui/messages.ts";
import type { BoundaryFailure } from "../../ui/error-boundary.tsx";
import { FailurePanel } from "../../ui/failure-panel.tsx";

/** What no view follows is read again this often while it is open, besides with every change of its pods. */
const CLUSTER_NODE_MS = 30_000;

const DEFAULT_PX = 400;
const LEAST_PX = 320;
const STEP_PX = 24;

/** Details of the selected resource, beside the view. It never takes the selection of the canvas away. */
export function ResourceDrawer(where: { readonly projectPath: string; readonly environment: string }): ReactNode {
  const store = useEnvironmentStore();
  useGraphVersion();
  const round = useNow(CLUSTER_NODE_MS);
  const [url, setUrl] = useUrlState();
  if (url.sel === "") return null;
  const selected = withClusterNode(selectedNode(store, url.sel), url.sel, { store, round });
  const id = "node" in selected ? selected.node.id : undefined;
  const close = (): void => {
    setUrl({ sel: "", tab: "overview" });
    // After the drawer has left the page, so that the browser does not move the focus to the body instead.
    if (id !== undefined) requestAnimationFrame(() => requestAnimationFrame(() => focusNode(id)));
  };
  return <Drawer where={where} selected={selected} sel={url.sel} onClose={close} />;
}

/** A Node of the cluster has a page below every environment, whether or not the view has it: its pods are there. */
function withClusterNode(
  selected: SelectedNode,
  sel: string,
  { store, round }: { readonly store: EnvironmentStore; readonly round: number },
): SelectedNode {
  const name = selected.kind === "live" ? undefined : clusterNodeOf(sel);
  if (name === undefined) return selected;
  const revision = revisionOfPodsOn(store.nodes.values(), name) + round / CLUSTER_NODE_MS;
  return { kind: "live", node: clusterNode(name, revision % 2 ** 32) };
}

function Drawer(props: {
  readonly where: { readonly projectPath: string; readonly environment: string };
  readonly selected: SelectedNode;
  readonly sel: string;
  readonly onClose: () => void;
}): ReactNode {
  const { where, selected, sel, onClose } = props;
  const node = "node" in selected ? selected.node : undefined;
  const deletedMs = selected.kind === "departed" ? selected.atMs : undefined;
  const [url, setUrl] = useUrlState();
  const { width, handle } = useDrawerWidth();
  const DepartedLine = useLazyCode(LAZY_DEPARTED, deletedMs !== undefined).code;
  const heading = useRef<HTMLHeadingElement>(null);
  const ref = node?.ref;
  // Only the terminal, without what stands around it; it stays where it is in the tree, so that a shell goes on.
  const isFull = url.full !== "";
  const Heading = isFull ? "h1" : "h2";
  useEffect(() => {
    if (sel !== "") heading.current?.focus({ preventScroll: true });
  }, [sel]);
  // Before the drawer is painted: who sees it may close it.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || isFull) return;
      const typing = event.target instanceof HTMLElement && event.target.matches("input, details *");
      if (!typing) onClose();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  const style: CSSProperties & Record<"--drawer", string> = { "--drawer": `${width}px` };
  const store = useEnvironmentStore();
  const { environment } = useView();
  const inView = !isClusterNode(ref) || (ref !== undefined && store.nodeOf(ref) !== undefined);
  const tabs = node === undefined ? [] : shownTabs({ node, inView, environment });
  // Where there are no terminals, a page of one says so.
  const tab = isFull || tabs.includes(url.tab) ? url.tab : "overview";
  return (
    <aside
      className={styles["drawer"]}
      style={style}
      aria-label={ref === undefined ? t("resource-detail/resource") : t("resource-detail/named", { kind: ref.kind, name: ref.name })}
      data-drawer=""
      data-full={isFull}
    >
      {!isFull && handle}
      <header>
        <span className={styles["kind"]}>
          <Icon name={iconOfKind(ref?.kind ?? "")} size={20} />
        </span>
        <div className="grow">
          <div className={styles["where"]}>
            {ref === undefined ? (
              <span translate="no">{sel}</span>
            ) : (
              t("resource-detail/where", { kind: ref.kind, namespace: ref.namespace })
            )}
          </div>
          <Heading ref={heading} tabIndex={-1} translate="no">
            {ref?.name ?? sel.split("/").at(-1)}
          </Heading>
        </div>
        <CopyLink />
        {!isFull && (
          <button type="button" className="btn ghost icon sm" aria-label={t("ui/close")} onClick={onClose}>
            <Icon name="x" />
          </button>
        )}
      </header>
      {node !== undefined && deletedMs !== undefined && DepartedLine !== undefined && <DepartedLine node={node} atMs={deletedMs} />}
      {node !== undefined && deletedMs === undefined && !isFull && <NodeAge node={node} />}
      {node === undefined ? (
        <p className={styles["none"]}>
          <Absence hidden={selected.kind === "hidden"} />
        </p>
      ) : (
        <>
          <div className={styles["tabs"]} role="tablist" aria-label={t("resource-detail/details")} hidden={isFull}>
            {tabs.map((each) => (
              <button
                key={each}
                ref={tab === each ? bringIntoSight : undefined}
                type="button"
                role="tab"
                id={`tab-${each}`}
                aria-selected={tab === each}
                aria-controls="drawer-panel"
                tabIndex={tab === each ? 0 : -1}
                onClick={() => setUrl({ tab: each })}
                onKeyDown={(event) => moveTab(event, { tabs, from: tab }, (next) => setUrl({ tab: next }))}
              >
                {t(TABS[each].title)}
              </button>
            ))}
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
          <div
            className={`${styles["body"]} ${tab === "logs" ? styles["filled"] : ""}`}
            id="drawer-panel"
            role="tabpanel"
            aria-labelledby={`tab-${tab}`}
            tabIndex={0}
          >
            <Details {...where} node={node} departed={deletedMs !== undefined} tab={tab} />
          </div>
          {!isFull && <ResourceActions {...where} node={node} departed={deletedMs !== undefined} />}
        </>
      )}
    </aside>
  );
}

/** A narrow drawer has no room for all tabs: the one that is chosen is scrolled to. */
function bringIntoSight(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The frame of the drawer is there at once, also in the first HTML; nothing moves when the rest comes. */
function Details(props: DrawerDetailsProps): ReactNode {
  const { code: Loaded, failure } = useLazyCode(LAZY_DETAILS, true);
  if (failure !== undefined) throw failure.error;
  return Loaded === undefined ? <Skeleton rows={4} label={t("resource-detail/loading-details")} /> : <Loaded {...props} />;
}

/** Why there is nothing to show of what is selected. */
function Absence({ hidden }: { readonly hidden: boolean }): ReactNode {
  const { complete } = useView();
  if (hidden) return t("resource-detail/kind-not-visible");
  return complete ? t("resource-detail/not-in-view") : t("resource-detail/not-known-yet");
}

function moveTab(
  event: React.KeyboardEvent,
  { tabs, from }: { readonly tabs: readonly DrawerTab[]; readonly from: DrawerTab },
  go: (tab: DrawerTab) => void,
): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const next = tabs[(tabs.indexOf(from) + step + tabs.length) % tabs.length];
  if (next === undefined) return;
  go(next);
  document.getElementById(`tab-${next}`)?.focus();
}

function CopyLink(): ReactNode {
  const [copied, copy] = useCopy(() => location.href);
  return (
    <Tip text={copied ? t("ui/link-copied") : t("ui/copy-link")}>
      <button type="button" className="btn ghost icon sm" aria-label={copied ? t("ui/link-copied") : t("ui/copy-link")} onClick={copy}>
        <Icon name={copied ? "check" : "link"} />
      </button>
    </Tip>
  );
}

/** Width of the drawer, 400 px at first, at most half the window; and the handle that changes it by pointer or arrow keys. */
function useDrawerWidth(): { readonly width: number; readonly handle: ReactNode } {
  const [wanted, setWanted] = useState(DEFAULT_PX);
  const [half, setHalf] = useState(720);
  useEffect(() => {
    const measure = (): void => setHalf(Math.floor(innerWidth / 2));
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const most = Math.max(LEAST_PX, half);
  const width = Math.min(most, Math.max(LEAST_PX, wanted));
  const drag = (event: React.PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setWanted(innerWidth - event.clientX);
  };
  const onKey = (event: React.KeyboardEvent): void => {
    const step = event.key === "ArrowLeft" ? STEP_PX : event.key === "ArrowRight" ? -STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    setWanted(width + step);
  };
  const handle = (
    <div
      className={styles["handle"]}
      role="separator"
      aria-orientation="vertical"
      aria-label={t("resource-detail/width-details")}
      aria-valuenow={width}
      aria-valuemin={LEAST_PX}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKey}
    />
  );
  return { width, handle };
}

/** Gives the focus to what stands for a node on the page: its card in the graph, its row in the list or the tree. */
function focusNode(id: string): void {
  const holder = document.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`);
  const target = holder?.matches("button, [tabindex]") === true ? holder : holder?.querySelector<HTMLElement>("button, [tabindex]");
  target?.focus({ preventScroll: true });
}

/** In place of a drawer that failed; the view beside it goes on. */
export function DrawerFailure({ error, retry }: BoundaryFailure): ReactNode {
  const [, setUrl] = useUrlState();
  const style: CSSProperties & Record<"--drawer", string> = { "--drawer": "400px" };
  const close = (
    <button type="button" className="btn sm" onClick={() => setUrl({ sel: "", tab: "overview" })}>
      {t("ui/close")}
    </button>
  );
  return (
    <aside className={styles["drawer"]} style={style} aria-label={t("resource-detail/resource")} data-drawer="">
      <FailurePanel error={error} what={t("resource-detail/the-details")} retry={retry} actions={close} />
    </aside>
  );
}
