"use client";
import { type ReactNode, useState } from "react";
import { tLater } from "../../ui/messages.ts";
import { useCopy } from "../../ui/use-copy.ts";
import type { LiveNode } from "../live/live-node.ts";
import styles from "./actions.module.css";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { useView } from "../live/environment-context.tsx";
import { manyKinds } from "./many-run.ts";

const LAZY_DIALOG = new LazyCode(async () => (await import("./many-dialog.tsx")).ManyDialog);

/** What can be done with the resources that are chosen. */
export function ChoiceBar(props: {
  readonly nodes: readonly LiveNode[];
  /** How many of them the filters hide. */
  readonly hidden: number;
  readonly onNone: () => void;
}): ReactNode {
  const { nodes, hidden, onNone } = props;
  const refs = nodes.flatMap(({ ref }) => ref ?? []);
  return (
    <section className={styles["choice"]} aria-label={tLater("find/chosen/region")}>
      <output className="b num">{tLater("find/chosen", { count: refs.length, hidden: hidden === 0 ? undefined : hidden })}</output>
      <ManyActions nodes={nodes} />
      <CopyButton text={() => namesText(refs)} label={tLater("find/chosen/names")} />
      <CopyButton text={() => kubectlText(refs)} label={tLater("find/chosen/kubectl")} />
      <button type="button" className="btn ghost sm" onClick={onNone}>
        {tLater("find/chosen/none")}
      </button>
    </section>
  );
}

function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }): ReactNode {
  const [copied, copy] = useCopy(text);
  return (
    <button type="button" className="btn sm" onClick={copy}>
      {label}
      {copied && <output className="muted">{tLater("ui/copied")}</output>}
    </button>
  );
}

/** Names of resources, one a line. */
export function namesText(refs: readonly ResourceRef[]): string {
  return refs.map(({ name }) => name).join("\n");
}

/** `kubectl get` for resources, a line for each namespace: "kubectl get -n shop deployments.apps/web pods/web-0". */
export function kubectlText(refs: readonly ResourceRef[]): string {
  const places = new Map<string, string[]>();
  for (const { group, resource, kind, namespace, name } of refs) {
    const what = `${resource === "" ? kind.toLowerCase() : resource}${group === "" ? "" : `.${group}`}/${name}`;
    const words = places.get(namespace) ?? [];
    words.push(shellWord(what));
    places.set(namespace, words);
  }
  return [...places]
    .map(([namespace, words]) => ["kubectl get", ...(namespace === "" ? [] : ["-n", shellWord(namespace)]), ...words].join(" "))
    .join("\n");
}

/** Names of some kinds may have letters that mean something to a shell. */
function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Opens the actions of all chosen resources; nothing where none has any, and while what is shown is not what is. */
function ManyActions({ nodes }: { readonly nodes: readonly LiveNode[] }): ReactNode {
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
