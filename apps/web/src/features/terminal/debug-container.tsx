"use client";
import type { PreviewDebugContainerResponse } from "@binnacle/proto/dashboard";
import { ActionOutcome } from "@binnacle/proto/action-enums";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sentenceOfError } from "../queries/request-error.ts";
import { detailKeys } from "../queries/detail-keys.ts";
import { dashboardClient } from "../live/dashboard-client.ts";
import { MissingRole } from "../resource/missing-role.tsx";
import styles from "./debug-container.module.css";
import type { TerminalPlace } from "./running-mark.ts";
import { requestTerminal } from "./use-terminal.ts";

const LIMIT_MS = 30_000;
/** Between two looks at a container that is being started. */
const POLL_MS = 1_000;
const USUAL_SIZE = { columns: 80, rows: 24 };

/** A container without a shell, and what is done when there is another one with a shell. */
export interface DebugContainerProps {
  readonly place: TerminalPlace;
  /** The container whose processes are looked at. */
  readonly container: string;
  /** The viewer has chosen it among the actions of the pod: it is shown at once, with the focus. */
  readonly isRequested: boolean;
  readonly onRunning: (name: string) => void;
  readonly onCancel: () => void;
}

/** Offers a debug container, such as beside one whose image has no shell: shows it before it is added, and waits until it runs. */
export function DebugContainer(props: DebugContainerProps): ReactNode {
  const { isRequested, onCancel } = props;
  const [isOpen, setIsOpen] = useState(false);
  const cancel = (): void => {
    setIsOpen(false);
    onCancel();
  };
  if (isOpen || isRequested) return <DebugSteps {...props} onCancel={cancel} />;
  return (
    <button type="button" className="btn sm" onClick={() => setIsOpen(true)}>
      {tLater("actions/debug-container")}
    </button>
  );
}

function DebugSteps(props: DebugContainerProps): ReactNode {
  const { place, container, isRequested, onCancel } = props;
  const [added, setAdded] = useState("");
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const section = panel.current;
    if (!isRequested || section === null) return undefined;
    // A tab that is still hidden takes no focus: it has a size as soon as it is shown.
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined || entry.contentRect.width === 0) return;
      observer.disconnect();
      section.focus();
    });
    observer.observe(section);
    return () => observer.disconnect();
  }, [isRequested]);
  const preview = useQuery({
    queryKey: keyOf(place, container),
    queryFn: ({ signal }) => dashboardClient().previewDebugContainer({ ...place, container }, { timeoutMs: LIMIT_MS, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const problem = sentenceOfError(preview.error);
  const { data } = preview;
  return (
    <section ref={panel} className={styles["panel"]} tabIndex={-1} aria-label={tLater("terminal/debug/title")}>
      {added !== "" ? (
        <Waiting place={place} name={added} onRunning={props.onRunning} />
      ) : data === undefined || preview.isFetching ? (
        problem === undefined || preview.isFetching ? (
          <Skeleton rows={3} label={tLater("terminal/checking")} />
        ) : (
          <p>{tLater("terminal/debug/refused", { why: problem })}</p>
        )
      ) : (
        <Confirmation {...props} preview={data} onAdded={() => setAdded(data.name)} onAgain={() => void preview.refetch()} />
      )}
      {(added !== "" || data === undefined) && <CancelButton onCancel={onCancel} />}
    </section>
  );
}

function Confirmation(
  props: DebugContainerProps & {
    readonly preview: PreviewDebugContainerResponse;
    readonly onAdded: () => void;
    readonly onAgain: () => void;
  },
): ReactNode {
  const { place, container, preview, onAdded, onAgain, onCancel } = props;
  const { name, image, uid, seconds, needsName } = preview;
  const [typedName, setTypedName] = useState("");
  const addition = useMutation({
    mutationFn: () => {
      const request = { ...place, container, uid, name, image, typedName: typedName.trim() };
      return dashboardClient().addDebugContainer(request, { timeoutMs: LIMIT_MS });
    },
    onSuccess: ({ outcome }) => {
      if (outcome === ActionOutcome.DONE) onAdded();
    },
  });
  const why = messageText(preview.refused);
  if (preview.refused !== undefined) {
    return (
      <>
        <p>{tLater("terminal/debug/refused", { why })}</p>
        <MissingRole yaml={preview.roleYaml} />
        <span className={styles["buttons"]}>
          <button type="button" className="btn sm" onClick={onAgain}>
            {tLater("terminal/retry")}
          </button>
          <CancelButton onCancel={onCancel} />
        </span>
      </>
    );
  }
  const canAdd = !addition.isPending && (!needsName || typedName.trim() === place.pod);
  const code = (text: string): ReactNode => <code translate="no">{text}</code>;
  return (
    <>
      <p>{tLaterElements("terminal/debug/what", { name: code(name), image: code(image), container: code(container) })}</p>
      <p className="muted">{tLater("terminal/debug/stays", { hours: Math.ceil(seconds / 3_600) })}</p>
      {needsName && (
        <label className={styles["field"]}>
          <span>{tLaterElements("terminal/debug/production", { name: code(place.pod) })}</span>
          <input
            type="text"
            className="mono"
            maxLength={253}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            translate="no"
            value={typedName}
            onChange={({ target }) => setTypedName(target.value)}
          />
        </label>
      )}
      <AdditionProblem addition={addition} />
      <span className={styles["buttons"]}>
        <button type="button" className="btn sm primary" disabled={!canAdd} onClick={() => addition.mutate()}>
          {addition.isPending ? tLater("terminal/debug/adding", { name }) : tLater("terminal/debug/add")}
        </button>
        <CancelButton onCancel={onCancel} />
      </span>
    </>
  );
}

/** Why it was not added, or that this is not known. */
function AdditionProblem({
  addition: { data, error },
}: {
  readonly addition: {
    readonly data: { readonly outcome: ActionOutcome; readonly words?: Parameters<typeof messageText>[0] } | undefined;
    readonly error: unknown;
  };
}): ReactNode {
  const problem = sentenceOfError(error);
  if (problem !== undefined) return <p role="alert">{tLater("terminal/debug/refused", { why: problem })}</p>;
  if (data === undefined || data.outcome === ActionOutcome.DONE) return null;
  const isUnknown = data.outcome === ActionOutcome.UNKNOWN;
  const sentence = isUnknown ? tLater("terminal/debug/unknown") : tLater("terminal/debug/refused", { why: messageText(data.words) });
  return <p role="alert">{sentence}</p>;
}

/** Until it runs, in the words of the cluster. */
function Waiting({ place, name, onRunning }: Pick<DebugContainerProps, "place" | "onRunning"> & { readonly name: string }): ReactNode {
  const look = useQuery({
    queryKey: keyOf(place, name),
    queryFn: ({ signal }) => requestTerminal(place, { container: name, shell: "", size: USUAL_SIZE }, signal),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.starting ? POLL_MS : false),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const isRunning = look.data !== undefined && look.data.ticket !== "";
  const running = useEffectEvent(() => onRunning(name));
  useEffect(() => {
    if (isRunning) running();
  }, [isRunning]);
  const why = messageText(look.data?.words);
  const problem = sentenceOfError(look.error);
  return (
    <>
      <output aria-live="polite">
        {tLater("terminal/debug/waiting")}
        {why !== "" && `: ${why}`}
        {problem !== undefined && `: ${problem}`}
      </output>
      {look.data !== undefined && <MissingRole yaml={look.data.roleYaml} />}
    </>
  );
}

function CancelButton({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  return (
    <button type="button" className="btn sm" onClick={onCancel}>
      {tLater("ui/cancel")}
    </button>
  );
}

function keyOf({ projectPath, environment, namespace, pod }: DebugContainerProps["place"], container: string) {
  return detailKeys.debugContainer({ projectPath, environment, id: `${namespace}/${pod}` }, container);
}
