"use client";
import type { ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../../live/environment-context.tsx";
import type { LiveNode } from "../../live/live-node.ts";
import { Conditions } from "../conditions.tsx";
import { EventLines } from "../events-tab.tsx";
import { Annotations } from "../facts/annotations.tsx";
import { DetailSections } from "../facts/detail-sections.tsx";
import { LoadProblem } from "../load-problem.tsx";
import { OwnFacts } from "../own-facts.tsx";
import type { ResourceState } from "../use-resource.ts";
import { NodePods } from "./node-pods.tsx";
import { NodeState, PodsSummary, UnreadNode } from "./node-state.tsx";
import { podsOnNode } from "./cluster-node.ts";

/** Events that are shown before those of the tab. */
const FIRST_EVENTS = 3;

/** A Node of the cluster: whether it is ready, its pods, what keeps pods away from it, its capacity, and its conditions. */
export function NodeOverview(props: {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode;
  readonly resource: ResourceState;
}): ReactNode {
  const { projectPath, environment, node, resource } = props;
  const { answer, isDenied = false } = resource;
  const { conditions = [], events = [], sections = [], annotations = {} } = answer ?? {};
  const store = useEnvironmentStore();
  const view = useView();
  useGraphVersion();
  const name = node.ref?.name ?? "";
  const pods = podsOnNode(store.nodes.values(), name, view);
  // What was read before the right was withdrawn is not shown any more.
  const known = isDenied ? undefined : answer;
  return (
    <>
      {!isDenied && <LoadProblem resource={resource} what="details" />}
      {isDenied && <UnreadNode name={name} pods={pods} />}
      {known !== undefined && <NodeState conditions={conditions} isCordoned={known.facts.some(isCordonedRow)} />}
      {!isDenied && known === undefined && (
        <section>
          {resource.loading && <output>{tLater("resource-detail/node/loading")}</output>}
          <PodsSummary pods={pods} />
        </section>
      )}
      <NodePods projectPath={projectPath} environment={environment} name={name} pods={pods} />
      {known !== undefined && (
        <>
          {conditions.length > 0 && <Conditions conditions={conditions} />}
          <OwnFacts node={node} answer={known} />
          <DetailSections sections={sections} />
          {events.length > 0 && (
            <section>
              <h3>{tLater("ui/events")}</h3>
              <EventLines events={events.slice(0, FIRST_EVENTS)} />
            </section>
          )}
          <Annotations annotations={annotations} />
        </>
      )}
    </>
  );
}

function isCordonedRow({ items }: { readonly items: readonly { readonly words?: { readonly id: string } | undefined }[] }): boolean {
  return items.some(({ words }) => words?.id === "detail/cordoned");
}
