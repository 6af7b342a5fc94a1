"use client";
import type { ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import { useCopy } from "../../ui/use-copy.ts";
import type { LiveNode } from "../live/live-node.ts";
import { kubectlText, namesText } from "./copied-lines.ts";
import styles from "./actions.module.css";
import { ManyActions } from "./many-actions.tsx";

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
