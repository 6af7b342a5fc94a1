"use client";
import type { ActionEffect } from "@binnacle/proto/dashboard";
import { ActionEffectKind } from "@binnacle/proto/action-enums";
import type { ReactNode } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import styles from "./action-effects.module.css";
import { sentenceOf } from "./attempt-words.ts";

/** What an action does to other objects and what may be in its way: a sentence each, with the names of the objects. */
export function ActionEffects({ effects }: { readonly effects: readonly ActionEffect[] }): ReactNode {
  if (effects.length === 0) return null;
  return (
    <section className={styles["effects"]} aria-label={tLater("actions/effects")}>
      <h3>{tLater("actions/effects")}</h3>
      <ul>
        {effects.map((effect) => (
          <li key={messageText(effect.words)} data-effect={effect.kind} data-obstacle={effect.isObstacle}>
            <StateGlyph look={lookOf(effect)} />
            <div>
              <p>{tLater("actions/note", { sentence: sentenceOf(messageText(effect.words)) })}</p>
              <Names names={effect.names} more={effect.moreNames} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Names({ names, more }: { readonly names: readonly string[]; readonly more: number }): ReactNode {
  if (names.length === 0) return null;
  return (
    <ul className={styles["names"]}>
      {names.map((name) => (
        <li key={name} translate="no">
          {name}
        </li>
      ))}
      {more > 0 && <li className="muted">{tLater("ui/and-more", { count: more })}</li>}
    </ul>
  );
}

function lookOf({ kind, isObstacle }: Pick<ActionEffect, "kind" | "isObstacle">): StateLook {
  if (isObstacle) return "degraded";
  switch (kind) {
    case ActionEffectKind.REPLACED:
      return "progressing";
    case ActionEffectKind.REMOVED:
      return "missing";
    case ActionEffectKind.BUDGET:
    case ActionEffectKind.QUOTA:
      return "neutral";
    default:
      return "unknown";
  }
}
