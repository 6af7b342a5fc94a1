"use client";
import type { OpenTerminalResponse } from "@binnacle/proto/dashboard";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateLink } from "../address/state-link.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { detailKeys } from "../queries/detail-keys.ts";
import type { LiveNode } from "../live/live-node.ts";
import { MissingRole } from "../resource/missing-role.tsx";
import { DEBUG_REQUESTS, useNodeRequests } from "../resource/node-requests.ts";
import { DebugContainer } from "./debug-container.tsx";
import styles from "./terminal.module.css";
import type { TerminalPlace } from "./running-mark.ts";
import { requestTerminal, useTerminal } from "./use-terminal.ts";

const SHELLS = ["bash", "ash", "sh"];
const USUAL_SIZE = { columns: 80, rows: 24 };

/** The pod, and the environment it is in. */
export interface TerminalTabProps {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode;
  /** It is not deleted. A terminal that runs is shown to its end in any case. */
  readonly present: boolean;
}

/** A terminal in a container of a pod: the choice, the screen, and how it ended. Nothing is started by a link. */
export function TerminalTab({ projectPath, environment, node, present }: TerminalTabProps): ReactNode {
  const { namespace = "", name: pod = "" } = node.ref ?? {};
  const place = { projectPath, environment, namespace, pod };
  const review = useQuery({
    queryKey: detailKeys.terminal({ projectPath, environment, id: node.id, life: node.life }),
    queryFn: ({ signal }) => requestTerminal(place, { container: "", shell: "", size: USUAL_SIZE }, signal),
    enabled: present,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const retry = (): void => void review.refetch();
  if (!present && review.data === undefined) return <p className="muted">{tLater("terminal/gone")}</p>;
  const problem = sentenceOfError(review.error);
  if (problem !== undefined && !review.isFetching)
    return <Refusal sentence={tLater("terminal/failed", { why: problem })} roleYaml="" onRetry={retry} />;
  if (review.data === undefined) return <Skeleton rows={4} label={tLater("terminal/checking")} />;
  if (review.data.ticket === "") return <NoTicket response={review.data} onRetry={retry} />;
  return <OpenTerminal id={node.id} place={place} offer={review.data} present={present} onRefused={retry} />;
}

function OpenTerminal(props: {
  /** Of the pod's node. */
  readonly id: string;
  readonly place: TerminalPlace;
  readonly offer: OpenTerminalResponse;
  readonly present: boolean;
  readonly onRefused: () => void;
}): ReactNode {
  const { id, place, offer, present, onRefused } = props;
  const [url, setUrl] = useUrlState();
  const isFull = url.full !== "";
  const [container, setContainer] = useState(url.full || offer.container);
  const [shell, setShell] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const label = tLater("terminal/screen", { container, pod: place.pod });
  const { state, element, start, stop } = useTerminal(place, { label, onLeft: () => button.current?.focus() });
  const begin = (): void => start({ container, shell });
  const [added, setAdded] = useState<readonly string[]>([]);
  // One that an address names may not run: its start says why.
  const names = [...new Set([...offer.containers.map(({ name }) => name), ...added, container])];
  const choose = (name: string): void => {
    setContainer(name);
    if (isFull) setUrl({ full: name }, "replace");
  };
  const [isDebugRequested, setDebugRequested] = useState(false);
  useNodeRequests(DEBUG_REQUESTS, id, () => setDebugRequested(true));
  const beginInDebug = (name: string): void => {
    setDebugRequested(false);
    setAdded([...added, name]);
    choose(name);
    setShell("");
    start({ container: name, shell: "" });
  };
  const isActive = state.kind === "connecting" || state.kind === "running";
  const canDebug = offer.debug && present;
  const lacksShell = state.kind === "ended" && state.lacksShell === true;
  return (
    <section className={styles["terminal"]} aria-label={label}>
      {offer.production && <Banner text={tLater("terminal/production")} />}
      {offer.recorded && <Banner text={tLater("terminal/recorded")} />}
      <div className={styles["bar"]}>
        {isActive ? (
          <output className={styles["what"]} translate="no">
            {state.kind === "running"
              ? tLater("terminal/running", { shell: state.shell, container })
              : tLater("terminal/connecting", { container })}
          </output>
        ) : (
          <>
            <Choice
              label={tLater("ui/container")}
              value={container}
              options={names.map((name) => ({ value: name, text: name }))}
              onChange={choose}
            />
            <Choice
              label={tLater("terminal/shell")}
              value={shell}
              options={[{ value: "", text: tLater("terminal/any-shell") }, ...SHELLS.map((each) => ({ value: each, text: each }))]}
              onChange={setShell}
            />
          </>
        )}
        <span className={styles["buttons"]}>
          {isActive ? (
            <button ref={button} type="button" className="btn sm" onClick={stop}>
              {tLater("terminal/close")}
            </button>
          ) : (
            <button ref={button} type="button" className="btn sm primary" disabled={!present} onClick={begin}>
              {tLater(state.kind === "ended" || state.kind === "left" ? "terminal/start-again" : "terminal/start")}
            </button>
          )}
          <button type="button" className="btn sm" onClick={() => setUrl({ full: isFull ? "" : container })}>
            {tLater(isFull ? "terminal/unfill" : "terminal/fill")}
          </button>
          {!isFull && (
            <StateLink className="btn sm" change={{ full: container }} inNewTab>
              {tLater("terminal/open-page")}
            </StateLink>
          )}
        </span>
      </div>
      {state.kind === "left" && <output className={styles["ended"]}>{tLater("terminal/end/page-left")}</output>}
      {state.kind === "ended" && (
        <output className={styles["ended"]}>
          {state.response === undefined ? state.why : <NoTicket response={state.response} onRetry={onRefused} />}
        </output>
      )}
      {canDebug && isActive && isDebugRequested && <output>{tLater("terminal/debug/end-first")}</output>}
      {canDebug && !isActive && (isDebugRequested || lacksShell) && (
        <DebugContainer
          key={container}
          place={place}
          // A debug container is no target of another one.
          container={added.includes(container) ? offer.container : container}
          isRequested={isDebugRequested}
          onRunning={beginInDebug}
          onCancel={() => setDebugRequested(false)}
        />
      )}
      <div className={styles["well"]} data-theme="dark" data-shown={state.kind !== "none" && state.kind !== "left"}>
        <div ref={element} className={styles["screen"]} />
      </div>
      {isActive && <p className={styles["hint"]}>{tLater("terminal/leave")}</p>}
    </section>
  );
}

function Banner({ text }: { readonly text: string }): ReactNode {
  return (
    <p className={styles["banner"]}>
      <Icon name="shield" />
      <span>{text}</span>
    </p>
  );
}

function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { label, value, options, onChange } = props;
  const id = useId();
  return (
    <span className={styles["choice"]}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} translate="no" onChange={({ target }) => onChange(target.value)}>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.text}
          </option>
        ))}
      </select>
    </span>
  );
}

function NoTicket({ response, onRetry }: { readonly response: OpenTerminalResponse; readonly onRetry: () => void }): ReactNode {
  return (
    <Refusal sentence={tLater("terminal/cannot", { why: messageText(response.words) })} roleYaml={response.roleYaml} onRetry={onRetry} />
  );
}

function Refusal({
  sentence,
  roleYaml,
  onRetry,
}: {
  readonly sentence: string;
  readonly roleYaml: string;
  readonly onRetry: () => void;
}): ReactNode {
  return (
    <div className={styles["refusal"]}>
      <p>{sentence}</p>
      <MissingRole yaml={roleYaml} />
      <span className={styles["buttons"]}>
        <button type="button" className="btn sm" onClick={onRetry}>
          {tLater("terminal/retry")}
        </button>
      </span>
    </div>
  );
}
