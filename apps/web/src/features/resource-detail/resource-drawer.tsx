"use client";
import { Presence, type Node } from "@binnacle/proto/dashboard";
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";
import { formatSecond } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import { iconOfKind } from "../resource/kind-words.ts";
import { findSelected } from "../environment/url-state.ts";
import { useUrlState } from "../environment/use-url-state.ts";
import { focusNode } from "../resource/focus-node.ts";
import styles from "./drawer.module.css";
import { EventsTab } from "./events-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { RelationsTab } from "./relations-tab.tsx";
import { useDrawerWidth } from "./use-drawer-width.tsx";
import { useResource } from "./use-resource.ts";
import { YamlTab } from "./yaml-tab.tsx";

const TABS = [
  { tab: "overview", text: "Overview" },
  { tab: "relations", text: "Relations" },
  { tab: "yaml", text: "YAML" },
  { tab: "events", text: "Events" },
] as const;

/** Details of the selected resource, beside the view. It never takes the selection of the canvas away. */
export function ResourceDrawer(where: { readonly projectPath: string; readonly environment: string }): ReactNode {
  const store = useEnvironmentStore();
  useGraphVersion();
  const [url, setUrl] = useUrlState();
  const [lastId, setLastId] = useState("");
  if (url.sel === "") return null;
  const live = findSelected(store.nodes.values(), url.sel);
  if (live !== undefined && live.id !== lastId) setLastId(live.id);
  const gone = live === undefined ? store.departed(lastId) : undefined;
  const node = live ?? gone?.node;
  const close = (): void => {
    setUrl({ sel: "", tab: "overview" });
    // After the drawer has left the page, so that the browser does not move the focus to the body instead.
    if (node !== undefined) requestAnimationFrame(() => requestAnimationFrame(() => focusNode(node.id)));
  };
  return <Drawer where={where} node={node} deletedMs={gone?.atMs} sel={url.sel} onClose={close} />;
}

function Drawer(props: {
  readonly where: { readonly projectPath: string; readonly environment: string };
  readonly node: Node | undefined;
  readonly deletedMs: number | undefined;
  readonly sel: string;
  readonly onClose: () => void;
}): ReactNode {
  const { where, node, deletedMs, sel, onClose } = props;
  const [url, setUrl] = useUrlState();
  const { width, handle } = useDrawerWidth();
  const now = useNow(60_000);
  const heading = useRef<HTMLHeadingElement>(null);
  const present = node?.presence === Presence.PRESENT && deletedMs === undefined;
  const resource = useResource(where, present ? node : undefined);
  const ref = node?.ref;
  useEffect(() => {
    if (sel !== "") heading.current?.focus({ preventScroll: true });
  }, [sel]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      const typing = event.target instanceof HTMLElement && event.target.matches("input, details *");
      if (!typing) onClose();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  const style: CSSProperties & Record<"--drawer", string> = { "--drawer": `${width}px` };
  const tab = TABS.find((each) => each.tab === url.tab)?.tab ?? "overview";
  return (
    <aside
      className={styles["drawer"]}
      style={style}
      aria-label={ref === undefined ? "Resource" : `${ref.kind} ${ref.name}`}
      data-drawer=""
    >
      {handle}
      <header>
        <span className={styles["kind"]}>
          <Icon name={iconOfKind(ref?.kind ?? "")} size={20} />
        </span>
        <div className="grow">
          <div className={styles["where"]}>
            {ref === undefined ? sel : `${ref.kind}${ref.namespace === "" ? "" : ` in ${ref.namespace}`}`}
          </div>
          <h2 ref={heading} tabIndex={-1}>
            {ref?.name ?? sel.split("/").at(-1)}
          </h2>
        </div>
        <CopyLink />
        <button type="button" className="btn ghost icon sm" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      {deletedMs !== undefined && (
        <output className={styles["gone"]}>Deleted {formatSecond(deletedMs, now === 0 ? deletedMs : now)}. Last known state.</output>
      )}
      {node === undefined ? (
        <p className={styles["none"]}>No such resource is in this view.</p>
      ) : (
        <>
          <div className={styles["tabs"]} role="tablist" aria-label="Details">
            {TABS.map((each) => (
              <button
                key={each.tab}
                type="button"
                role="tab"
                id={`tab-${each.tab}`}
                aria-selected={tab === each.tab}
                aria-controls="drawer-panel"
                tabIndex={tab === each.tab ? 0 : -1}
                onClick={() => setUrl({ tab: each.tab })}
                onKeyDown={(event) => moveTab(event, tab, (next) => setUrl({ tab: next }))}
              >
                {each.text}
              </button>
            ))}
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
          <div className={styles["body"]} id="drawer-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
            {tab === "overview" && <OverviewTab node={node} resource={resource} />}
            {tab === "relations" && <RelationsTab node={node} />}
            {tab === "yaml" && <YamlTab node={node} resource={resource} />}
            {tab === "events" && <EventsTab resource={resource} present={present} />}
          </div>
        </>
      )}
    </aside>
  );
}

function moveTab(event: React.KeyboardEvent, from: string, go: (tab: string) => void): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const index = TABS.findIndex((each) => each.tab === from);
  const next = TABS[(index + step + TABS.length) % TABS.length];
  if (next === undefined) return;
  go(next.tab);
  document.getElementById(`tab-${next.tab}`)?.focus();
}

function CopyLink(): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(location.href).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" className="btn ghost icon sm" aria-label={copied ? "Link copied" : "Copy link"} onClick={copy}>
      <Icon name={copied ? "check" : "link"} />
    </button>
  );
}
