"use client";
import type { OfferedAction } from "@binnacle/proto/dashboard";
import { ActionRight } from "@binnacle/proto/action-enums";
import type { ReactNode } from "react";
import { Popover } from "../../ui/popover.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { MissingRole } from "../resource/missing-role.tsx";
import { actionKeyOf, namesOf } from "./action-intent.ts";
import styles from "./action-bar.module.css";
import { sentenceOf } from "./attempt-words.ts";

/** Why an action is not offered: the viewer may not, or it is not known whether they may. */
function rightWords({ right, words }: Pick<OfferedAction, "right" | "words">): string {
  const sentence = sentenceOf(messageText(words));
  return tLater(right === ActionRight.DENIED ? "actions/note" : "actions/not-known", { sentence });
}

/** A button that does not act, since the viewer may not or that is not known. A press, or Enter, opens the reason and the missing Role. */
export function RefusedAction({ action }: { readonly action: OfferedAction }): ReactNode {
  const texts = namesOf(action.kind);
  if (texts === undefined) return null;
  const name = tLater(texts.confirm, { label: action.label });
  const isDenied = action.right === ActionRight.DENIED;
  return (
    <Popover
      title={isDenied ? tLater("actions/denied-name", { action: name }) : tLater("actions/not-known-name", { action: name })}
      hasHead
      align="start"
      className={styles["panel"]}
      renderButton={(props) => (
        <button
          {...props}
          className="btn sm"
          aria-disabled="true"
          aria-label={isDenied ? tLater("actions/denied-name", { action: name }) : tLater("actions/not-known-name", { action: name })}
          data-action-kind={action.kind}
          data-action-key={actionKeyOf(action)}
          data-action-right={isDenied ? "denied" : "not-known"}
        >
          <StateGlyph look={isDenied ? "locked" : "unknown"} size={12} />
          {name}
          {!isDenied && <span className={styles["mark"]}>{tLater("actions/not-known-mark")}</span>}
        </button>
      )}
    >
      <div className={styles["why"]}>
        <p>{rightWords(action)}</p>
        <MissingRole yaml={action.roleYaml} />
      </div>
    </Popover>
  );
}
