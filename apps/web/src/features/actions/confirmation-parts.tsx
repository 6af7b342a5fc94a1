"use client";
import type { ManifestPlace } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { placeWords } from "../../ui/place-words.ts";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { mayCheck, mayRepeat, type Attempt } from "./action-attempt.ts";
import styles from "./action-dialog.module.css";
import type { Actor } from "./use-action-calls.ts";

/** The manifest that the resource is applied from: the better place for a change. */
export function FromGit({ manifest }: { readonly manifest: ManifestPlace }): ReactNode {
  return (
    <p className={styles["git"]}>
      <Icon name="sync" size={14} />
      <span>
        {tLaterElements("actions/applied-from", {
          file: (
            <OutwardLink url={manifest.url} translate="no">
              <code>{placeWords(manifest)}</code>
            </OutwardLink>
          ),
        })}
      </span>
    </p>
  );
}

/** Asks for the name of what is destroyed in production: a confirmation that a habit does not give. */
export function TypedName(props: { readonly name: string; readonly value: string; readonly onChange: (value: string) => void }): ReactNode {
  const { name, value, onChange } = props;
  return (
    <label className={`${styles["field"]} ${styles["wide"]}`}>
      <span>
        {tLaterElements("actions/type-name", {
          name: <code translate="no">{name}</code>,
        })}
      </span>
      <input
        type="text"
        className="mono"
        data-typed-name=""
        maxLength={253}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        translate="no"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** After a request whose answer never came: one button reads the resource again, the other one sends the same request again. */
export function OutcomeButtons(props: {
  readonly attempt: Attempt | undefined;
  readonly actor: Actor;
  readonly size: "sm" | "primary";
}): ReactNode {
  const { attempt, actor, size } = props;
  if (attempt === undefined || !mayCheck(attempt)) return null;
  return (
    <>
      <button type="button" className={`btn ${size}`} onClick={actor.check}>
        {tLater("actions/check")}
      </button>
      {mayRepeat(attempt) && (
        <button type="button" className={size === "sm" ? "btn sm" : "btn"} onClick={actor.repeat}>
          {tLater("ui/try-again")}
        </button>
      )}
    </>
  );
}
