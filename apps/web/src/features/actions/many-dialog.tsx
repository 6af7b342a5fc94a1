/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { ActionKind, ActionPropagation } from "@binnacle/proto/action-enums";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { useCopy } from "../../ui/use-copy.ts";
import type { LiveNode } from "../live/live-node.ts";
import styles from "./action-dialog.module.css";
import { isRemoval, textsOf, type ActionIntent } from "./action-intent.ts";
import type { ResultIdentity } from "./action-results.ts";
import { ManyForm, missingNames, namesIn, TypedNames } from "./many-form.tsx";
import { ManyRow } from "./many-row.tsx";
import {
  actOnItem,
  isWhole,
  manyKinds,
  MAX_MANY,
  missingRoles,
  namesNeeded,
  nodesWith,
  reviewItem,
  runPaced,
  sharedContainers,
  type ContainerImage,
  type ManyAction,
  type ManyItem,
} from "./many-run.ts";

/** Many resources, and whose results they will be. */
export interface ManyDialogProps {
  readonly of: Omit<ResultIdentity, "id">;
  readonly nodes: readonly LiveNode[];
  readonly onClose: () => void;
}

type Items = ReadonlyMap<string, ManyItem>;

/** One action on many resources: what the viewer may of each, one confirmation, and what becomes of each. Closing it stops what has not begun. */
export function ManyDialog(props: ManyDialogProps): ReactNode {
  const { nodes, onClose } = props;
  return (
    <Dialog title={tLater("actions/many-title", { count: nodes.length })} open onClose={onClose}>
      {nodes.length > MAX_MANY ? (
        <p className={styles["content"]}>{tLater("actions/many-limit", { most: MAX_MANY, count: nodes.length })}</p>
      ) : (
        <ManyContent {...props} />
      )}
    </Dialog>
  );
}

function ManyContent({ of, nodes, onClose }: ManyDialogProps): ReactNode {
  const kinds = manyKinds(nodes);
  const [chosen, setChosen] = useState<ActionIntent>();
  const kind = chosen?.kind;
  const [typedNames, setTypedNames] = useState("");
  const [items, setItems] = useState<Items>(new Map());
  const [phase, setPhase] = useState<"choosing" | "acting" | "ended">("choosing");
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const targets = kind === undefined ? [] : nodesWith(nodes, kind).map((node) => ({ node, of: { ...of, id: node.id } }));
  const put = (id: string, item: ManyItem): void => setItems((before) => new Map(before).set(id, item));
  const begin = (): AbortSignal => {
    abort.current?.abort();
    abort.current = new AbortController();
    return abort.current.signal;
  };
  const choose = (next: ActionKind): void => {
    const signal = begin();
    const begun = nodesWith(nodes, next).map((node) => ({ node, of: { ...of, id: node.id } }));
    setChosen({ kind: next, ...(next === ActionKind.DELETE && { propagation: ActionPropagation.BACKGROUND }) });
    setTypedNames("");
    setItems(new Map(begun.map(({ node }) => [node.id, { kind: "reviewing" }])));
    const review = async (target: (typeof begun)[number]): Promise<void> => {
      const item = await reviewItem(target, next, signal);
      if (!signal.aborted) put(target.node.id, item);
    };
    void runPaced(begun, review, signal);
  };
  const allowed = targets.filter(({ node }) => items.get(node.id)?.kind === "allowed");
  const isReviewed = kind !== undefined && ![...items.values()].some((item) => item.kind === "reviewing");
  const containers = isReviewed ? sharedContainers(items.values()) : undefined;
  // The first container that all have, with the image that it has in the first resource.
  const intent = chosen?.kind === ActionKind.SET_IMAGE && chosen.container === undefined ? { ...chosen, ...imageOf(containers) } : chosen;
  const names = namesNeeded(allowed.map(({ node }) => ({ name: node.ref?.name ?? "", item: items.get(node.id) })));
  const mayRun =
    isReviewed && allowed.length > 0 && intent !== undefined && isWhole(intent) && missingNames(names, typedNames).length === 0;
  const run = async (confirmed: ActionIntent): Promise<void> => {
    const signal = begin();
    setPhase("acting");
    setItems((before) => new Map([...before, ...allowed.map(({ node }) => [node.id, { kind: "queued" }] as const)]));
    const typed = namesIn(typedNames);
    const actionOf = ({ node }: (typeof allowed)[number]): ManyAction => {
      const item = items.get(node.id);
      return { intent: confirmed, typed, uid: item?.kind === "allowed" ? item.uid : "" };
    };
    await runPaced(allowed, (target) => actOnItem(target, actionOf(target), (item) => put(target.node.id, item)), signal);
    setItems((before) => new Map([...before].map(([id, item]) => [id, item.kind === "queued" ? { kind: "stopped" } : item])));
    setPhase("ended");
  };
  const texts = kind === undefined ? undefined : textsOf(kind);
  const confirm = texts === undefined ? "" : tLater(texts.confirm);
  return (
    <div className={styles["content"]} data-many={phase}>
      <div className="seg" role="group" aria-label={tLater("actions/many-choose")}>
        {kinds.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={kind === each}
            aria-disabled={phase !== "choosing"}
            onClick={() => {
              if (phase === "choosing") choose(each);
            }}
          >
            {switchText(each)}
          </button>
        ))}
      </div>
      {kind === undefined ? (
        <p className="muted">{tLater("actions/many-hint")}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        <section className={styles["many"]} aria-label={tLater("ui/resources")} tabIndex={0}>
          <ul>
            {targets.map((target) => (
              <ManyRow key={target.node.id} {...target} item={items.get(target.node.id) ?? { kind: "reviewing" }} />
            ))}
          </ul>
        </section>
      )}
      {intent !== undefined && <ManyForm intent={intent} containers={containers} disabled={phase !== "choosing"} onIntent={setChosen} />}
      {names.length > 0 && phase === "choosing" && (
        <TypedNames names={names} value={typedNames} disabled={false} onChange={setTypedNames} />
      )}
      <output className="muted">{kind !== undefined && summaryOf(items, phase)}</output>
      <div className={styles["buttons"]}>
        {phase === "choosing" && (
          <button
            type="button"
            className={kind !== undefined && isRemoval(kind) ? "btn danger" : "btn primary"}
            aria-disabled={!mayRun}
            onClick={() => {
              if (mayRun) void run(intent);
            }}
          >
            {kind === undefined
              ? tLater("actions/many-confirm-none")
              : tLater("actions/many-confirm", { action: confirm, count: allowed.length })}
          </button>
        )}
        {phase === "acting" && (
          <button type="button" className="btn primary" onClick={() => abort.current?.abort()}>
            {tLater("actions/many-stop")}
          </button>
        )}
        <button type="button" className="btn" onClick={onClose}>
          {phase === "choosing" ? tLater("ui/cancel") : tLater("ui/close")}
        </button>
        <CopyRoles roles={missingRoles(items.values())} />
      </div>
    </div>
  );
}

function CopyRoles({ roles }: { readonly roles: readonly string[] }): ReactNode {
  const [copied, copy] = useCopy(() => roles.join("---\n"));
  if (roles.length === 0) return null;
  return (
    <button type="button" className="btn ghost" onClick={copy}>
      <Icon name={copied ? "check" : "copy"} size={14} />
      {copied ? tLater("ui/copied") : tLater("actions/copy-roles", { count: roles.length })}
    </button>
  );
}

function imageOf(containers: readonly ContainerImage[] = []): Partial<ActionIntent> {
  const [first] = containers;
  return first === undefined ? {} : { container: first.container, image: first.image };
}

/** Deployments and CronJobs are resumed by two actions, which may stand beside each other here. */
function switchText(kind: ActionKind): string {
  if (kind === ActionKind.PAUSE) return tLater("actions/many-pause");
  if (kind === ActionKind.RESUME) return tLater("actions/many-resume");
  if (kind === ActionKind.UNSUSPEND) return tLater("ui/resume");
  const texts = textsOf(kind);
  return texts === undefined ? "" : tLater(texts.confirm);
}

/** How many are allowed, or how far it has come. */
function summaryOf(items: Items, phase: "choosing" | "acting" | "ended"): string {
  const count = (...kinds: readonly ManyItem["kind"][]): number => [...items.values()].filter((item) => kinds.includes(item.kind)).length;
  if (phase === "choosing") {
    if (count("reviewing") > 0) return tLater("actions/access-checking");
    const [allowed, denied, unknown, other] = [count("allowed"), count("denied"), count("not-known"), count("not-offered")];
    return tLater("actions/many-may", { allowed, denied: denied || "", unknown: unknown || "", other: other || "" });
  }
  const [sent, failed, left] = [count("sent"), count("not-sent", "nothing"), count("queued", "preview", "stopped")];
  return tLater("actions/many-summary", { sent, failed: failed || "", left: left || "" });
}
