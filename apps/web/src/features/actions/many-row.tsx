"use client";
import type { ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import { useNode } from "../live/environment-context.tsx";
import styles from "./action-dialog.module.css";
import { useActionResult } from "./action-results.ts";
import { attemptWords, sentenceOf, type AttemptWords } from "./attempt-words.ts";
import type { ManyItem, ManyTarget } from "./many-run.ts";
import { useFollowing } from "./use-following.ts";

/** One resource of many: what the viewer may, then what became of the action, followed until the resource has settled. */
export function ManyRow({ of, node, item }: ManyTarget & { readonly item: ManyItem }): ReactNode {
  const attempt = useActionResult(of);
  const now = useNode(node.id);
  const own = item.kind === "sent" && attempt?.action.request.requestId === item.requestId ? attempt : undefined;
  useFollowing(of, own, now);
  const { look, text } = own === undefined ? itemWords(item) : attemptWords(own, now);
  return (
    <li
      data-many-item={item.kind}
      data-action-state={own?.state.kind}
      data-action-follow={own?.state.kind === "written" ? own.follow.kind : undefined}
    >
      <StateGlyph look={look} size={14} />
      <div>
        <span className="muted">{node.ref?.kind}</span>{" "}
        <b className="b" translate="no">
          {node.ref?.name}
        </b>
        <p className={styles["state"]}>{text}</p>
      </div>
    </li>
  );
}

function itemWords(item: ManyItem): AttemptWords {
  const say = (look: StateLook, sentence: string): AttemptWords => ({ look, text: tLater("actions/note", { sentence }) });
  switch (item.kind) {
    case "reviewing":
      return say("neutral", tLater("actions/many-asking"));
    case "allowed":
      return say("neutral", tLater("actions/many-allowed"));
    case "denied":
      return say("locked", sentenceOf(item.why));
    case "not-known":
      return { look: "unknown", text: tLater("actions/not-known", { sentence: sentenceOf(item.why) }) };
    case "not-offered":
      return say("neutral", tLater("actions/many-not-offered"));
    case "not-sent":
      return { look: "degraded", text: tLater("actions/nothing-changed", { sentence: sentenceOf(item.why) }) };
    case "nothing":
      return say("neutral", tLater("actions/nothing-to-change"));
    case "stopped":
      return say("neutral", tLater("actions/many-stopped"));
    case "queued":
      return say("neutral", tLater("actions/many-queued"));
    default:
      return say("progressing", tLater("actions/previewing"));
  }
}
