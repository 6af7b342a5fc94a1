"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import { useState, type ReactNode } from "react";
import type { DrawerTab } from "../address/url-state.ts";
import { useView, useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { tLater } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { LogsTabProps } from "../logs/logs-tab.tsx";
import { useLazyCode } from "../../ui/lazy-code.ts";
import { useEvents } from "../live/use-events.ts";
import { LAZY_LOGS_TAB, LAZY_TERMINAL } from "./lazy-details.ts";
import { isClusterNode } from "../resource/cluster-node-link.tsx";
import { NodeOverview } from "./cluster-node/node-overview.tsx";
import { ResourceMetrics } from "../metrics/resource-metrics.tsx";
import { ManifestTab } from "./manifest/manifest-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { RelationsTab } from "./relations-tab.tsx";
import styles from "./drawer.module.css";
import { EventsTab } from "./events-tab.tsx";
import { familyEvents } from "../events/family-events.ts";
import { syncOf } from "./sync-of.ts";
import { useComparison } from "./manifest/use-comparison.ts";
import { useResource, type ResourceState, type ShownResource } from "./use-resource.ts";
import { YamlTab } from "./yaml-tab.tsx";
import { ActionKind } from "@binnacle/proto/action-enums";
import { ACTION_REQUESTS } from "../resource/node-requests.ts";
import { hasActions } from "../actions/lazy-actions.tsx";
import { useActionReview, type ReviewedResource } from "../actions/use-action-review.ts";

/** What one tab of the drawer shows. */
export interface DrawerDetailsProps {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode;
  /** It has left: what was known last is shown. */
  readonly departed: boolean;
  readonly tab: DrawerTab;
}

/** The chosen tab of a resource. */
export function DrawerDetails(props: DrawerDetailsProps): ReactNode {
  const { node, tab } = props;
  const life = `${node.id} ${node.life}`;
  const [terminalOf, setTerminalOf] = useState<string>();
  if (tab === "terminal" && terminalOf !== life) setTerminalOf(life);
  return (
    <>
      {tab !== "terminal" && <ChosenTab {...props} tab={tab} />}
      {/* A shell goes on while another tab of its pod is read. */}
      {terminalOf === life && (
        <div className={styles["terminal"]} hidden={tab !== "terminal"}>
          <Terminal key={life} {...props} />
        </div>
      )}
    </>
  );
}

interface PartProps extends ShownResource {
  readonly node: LiveNode;
  readonly departed: boolean;
  /** Whether the view is one that was kept. */
  readonly kept: boolean;
  readonly resource: ResourceState;
}

/** What each tab shows; a terminal has its own place, since it goes on while another tab is read. */
const PARTS: Readonly<Record<Exclude<DrawerTab, "terminal">, (props: PartProps) => ReactNode>> = {
  overview: Overview,
  relations: RelationsTab,
  manifest: Manifest,
  yaml: Yaml,
  events: FamilyEventsTab,
  logs: Logs,
};

/** The query for the resource runs whichever tab is shown. */
function ChosenTab({ tab, ...props }: Omit<DrawerDetailsProps, "tab"> & { readonly tab: keyof typeof PARTS }): ReactNode {
  const { kept } = useView();
  const present = isPresent({ ...props, kept });
  const resource = useResource({ ...props, present });
  const Part = PARTS[tab];
  return <Part {...props} present={present} kept={kept} resource={resource} />;
}

function Overview({ projectPath, environment, node, resource, departed, present }: PartProps): ReactNode {
  return isClusterNode(node.ref) ? (
    <NodeOverview projectPath={projectPath} environment={environment} node={node} resource={resource} />
  ) : (
    <OverviewTab node={node} resource={resource} departed={departed} metrics={<ResourceMetrics node={node} present={present} />} />
  );
}

function Yaml({ projectPath, environment, node, resource, present, kept }: PartProps): ReactNode {
  const edit = <EditButton projectPath={projectPath} environment={environment} node={node} present={present} />;
  return <YamlTab node={node} resource={resource} kept={kept} edit={edit} />;
}

/** Of a picture that was kept there is nothing more than the picture. */
function isPresent({ node, departed, kept }: Pick<DrawerDetailsProps, "node" | "departed"> & { readonly kept: boolean }): boolean {
  return node.presence === Presence.PRESENT && !departed && !kept;
}

function Terminal({ projectPath, environment, node, departed }: DrawerDetailsProps): ReactNode {
  const { kept } = useView();
  const { code: Loaded, failure } = useLazyCode(LAZY_TERMINAL, true);
  if (failure !== undefined) throw failure.error;
  if (Loaded === undefined) return <Skeleton rows={4} label={tLater("terminal/checking")} />;
  return <Loaded projectPath={projectPath} environment={environment} node={node} present={isPresent({ node, departed, kept })} />;
}

/** Loaded only while it is looked at. */
function Logs(props: LogsTabProps): ReactNode {
  const { code: Loaded, failure } = useLazyCode(LAZY_LOGS_TAB, true);
  if (failure !== undefined) throw failure.error;
  return Loaded === undefined ? <Skeleton rows={6} label={tLater("logs-page/loading")} /> : <Loaded {...props} />;
}

/** Compared only while it is looked at: nothing else needs it. */
function Manifest(shown: PartProps): ReactNode {
  const gitops = useView().environment?.delivery?.sync?.value;
  return <ManifestTab comparison={useComparison(shown, syncOf(gitops, shown.node))} kept={shown.kept} />;
}

/** The Events of a resource, with those of what it owns from the environment's own, live. */
function FamilyEventsTab(props: { readonly node: LiveNode; readonly resource: ResourceState; readonly kept: boolean }): ReactNode {
  const { node, resource, kept } = props;
  const store = useEnvironmentStore();
  useGraphVersion();
  const family = familyEvents(store, node, useEvents().events.values());
  return <EventsTab resource={resource} family={family} kept={kept} />;
}

/** Opens the editor by the button of the drawer's actions, which has its right; nothing where edits are not offered. @param present the resource is there */
function EditButton({ present, ...resource }: ReviewedResource & { readonly present: boolean }): ReactNode {
  const { answer } = useActionReview(resource, present && hasActions(resource.node.ref));
  if (answer?.actions.some(({ kind }) => kind === ActionKind.EDIT) !== true) return null;
  return (
    <button
      type="button"
      className="btn sm"
      aria-haspopup="dialog"
      onClick={() => ACTION_REQUESTS.send(resource.node.id, String(ActionKind.EDIT))}
    >
      {tLater("yaml/edit")}
    </button>
  );
}
