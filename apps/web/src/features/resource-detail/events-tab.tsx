"use client";
import type { GetResourceResponse, ResourceEvent, Deployment, Change } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatClock, formatSecond, millisOf } from "../../ui/format-time.ts";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { tLaterElements } from "../../ui/message-elements.ts";
import { messageText, tLater } from "../../ui/messages.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { useNow } from "../../ui/use-now.ts";
import { ChangeLine } from "./change-line.tsx";
import { LogsLink } from "../resource/logs-link.tsx";
import { ReportedText } from "../resource/with-node-names.tsx";
import styles from "./drawer.module.css";
import { mergedEvents } from "../events/family-events.ts";
import { LoadProblem } from "./load-problem.tsx";
import type { ResourceState } from "./use-resource.ts";

/** What is known of the resource's events. */
interface Known {
  readonly resource: ResourceState;
  /** Of itself and of what it owns, as the environment's events tell them now; absent while they do not. */
  readonly family?: readonly ResourceEvent[] | undefined;
}

/** Something that has happened to a resource: what the cluster reported of it, what a user changed, or what was deployed around it. */
type Moment = { readonly atMs: number | undefined } & (
  { readonly event: ResourceEvent } | { readonly change: Change } | { readonly deployment: Deployment }
);

/** Reasons of Events in the order in which a pod that comes up has them; all others come after them. */
const STEPS: readonly string[] = ["FailedScheduling", "Scheduled", "SuccessfulAttachVolume", "Pulling", "Pulled", "Created", "Started"];

/** Events about the resource and what it owns, its changes and what was deployed around it, newest first, repeated ones folded. */
export function EventsTab({ resource, family, kept }: Known & { readonly kept: boolean }): ReactNode {
  return (
    <>
      <LoadProblem resource={resource} what="events" />
      {kept && resource.answer === undefined ? (
        <p className="muted">{tLater("resource-detail/events-not-available")}</p>
      ) : (
        <Events resource={resource} family={family} />
      )}
    </>
  );
}

function Events({ resource: { answer, problem, loading }, family = [] }: Known): ReactNode {
  if (answer === undefined && family.length > 0) return <EventLines events={family} />;
  if (answer === undefined && problem !== undefined) return null;
  if (answer === undefined)
    return loading ? <output>{tLater("ui/loading")}</output> : <p className="muted">{tLater("resource-detail/nothing-happened")}</p>;
  const { eventsWords } = answer;
  const events = mergedEvents(answer.events, family);
  const moments = momentsOf({ ...answer, events });
  return (
    <>
      {eventsWords !== undefined && <p className={styles["problem"]}>{messageText(eventsWords)}</p>}
      {eventsWords === undefined && events.length === 0 && <p className="muted">{tLater("resource-detail/no-events")}</p>}
      <Since answer={answer} />
      {moments.length > 0 && <Moments moments={moments} />}
    </>
  );
}

/** From when on the changes are all there were. */
function Since({ answer: { changes, changesSince, changesCut } }: { readonly answer: GetResourceResponse }): ReactNode {
  const now = useNow(60_000);
  if (changesSince === undefined) return null;
  const since = formatClock(millisOf(changesSince), now);
  if (changesCut) return <p className="muted">{tLater("resource-detail/changes-complete-since", { since })}</p>;
  return (
    <p className="muted">
      {changes.length === 0
        ? tLater("resource-detail/no-changes-since", { since })
        : tLater("resource-detail/with-changes-since", { since })}
    </p>
  );
}

/** Events as lines. */
export function EventLines({ events }: { readonly events: readonly ResourceEvent[] }): ReactNode {
  return <Moments moments={momentsOf({ events: [...events], changes: [], deployments: [] })} />;
}

function Moments({ moments }: { readonly moments: readonly Moment[] }): ReactNode {
  const now = useNow(60_000);
  return (
    <ul className={styles["events"]}>
      {moments.map((moment) => {
        const { atMs } = moment;
        return (
          <li key={keyOf(moment)} className={"event" in moment && moment.event.type === "Warning" ? "degraded" : ""}>
            {atMs === undefined ? (
              <span />
            ) : (
              <ExactTime atMs={atMs} now={now}>
                {formatSecond(atMs, now)}
              </ExactTime>
            )}
            <MomentLine moment={moment} />
          </li>
        );
      })}
    </ul>
  );
}

function MomentLine({ moment }: { readonly moment: Moment }): ReactNode {
  if ("event" in moment) return <EventLine event={moment.event} />;
  return "change" in moment ? <ChangeLine change={moment.change} /> : <DeploymentLine deployment={moment.deployment} />;
}

function EventLine({ event: { reason, regarding, count, message, lastAt } }: { readonly event: ResourceEvent }): ReactNode {
  const what = regarding !== undefined && <span translate="no">{`${regarding.kind} ${regarding.name}`}</span>;
  const times = what === false ? tLater("resource-detail/times", { count }) : tLaterElements("resource-detail/of-times", { what, count });
  return (
    <div>
      <b translate="no">{reason}</b> <span className="muted">{count > 1 ? times : what}</span>{" "}
      <LogsLink of={regarding} atMs={lastAt && millisOf(lastAt)} />
      <span className={styles["wrap"]} translate="no">
        <ReportedText text={message} about={regarding} />
      </span>
    </div>
  );
}

function keyOf(moment: Moment): string {
  if ("event" in moment) {
    const { type, reason, source, message, regarding } = moment.event;
    return [type, reason, source, message, regarding?.kind, regarding?.name, moment.atMs].join(" ");
  }
  if ("deployment" in moment) return `${moment.deployment.sha} ${moment.atMs}`;
  const { kind, manager, subresource, fields } = moment.change;
  return [kind, manager, subresource, moment.atMs, ...fields.map(({ path, after }) => `${path} ${after}`)].join(" ");
}

/** A deployment among what has happened to a resource: which commit, and by whom. */
function DeploymentLine({ deployment }: { readonly deployment: Deployment }): ReactNode {
  const { sha, title, commitUrl, ref, author, byName, byUsername, job, toolObject } = deployment;
  const by = byName || byUsername || author;
  const words = [
    ...(ref === "" ? [] : [ref]),
    ...(by === "" ? [] : [tLater("resource-detail/changed-by", { by })]),
    ...(job === "" ? [] : [job]),
    ...(toolObject === "" ? [] : [toolObject]),
  ];
  return (
    <div>
      <b>{tLater("resource-detail/deployed")}</b>{" "}
      <OutwardLink url={commitUrl} title={title}>
        <code>{shortSha(sha)}</code>
      </OutwardLink>{" "}
      <span className="muted">{words.join(", ")}</span>
      {title !== "" && <div>{title}</div>}
    </div>
  );
}

/**
 * Events, changes and deployments, newest first; what has no time comes last. Of equals the change comes after the Event that it led to, and the
 * deployment after both. Events have seconds: within one, the later step in the life of a pod is the newer.
 */
export function momentsOf({ events, changes, deployments }: Pick<GetResourceResponse, "events" | "changes" | "deployments">): Moment[] {
  const at = (time: ResourceEvent["lastAt"]): number | undefined => (time === undefined ? undefined : millisOf(time));
  const moments: Moment[] = [
    ...events.map((event) => ({ event, atMs: at(event.lastAt) })),
    ...changes.map((change) => ({ change, atMs: at(change.at) })),
    ...deployments.map((deployment) => ({ deployment, atMs: at(deployment.at) })),
  ];
  return moments.toSorted(
    (a, b) => (b.atMs ?? Number.NEGATIVE_INFINITY) - (a.atMs ?? Number.NEGATIVE_INFINITY) || stepOf(b) - stepOf(a) || 0,
  );
}

/** The step of an Event; what is no Event has none and keeps its place among its equals. */
function stepOf(moment: Moment): number {
  if (!("event" in moment)) return -1;
  const step = STEPS.indexOf(moment.event.reason);
  return step < 0 ? STEPS.length : step;
}
