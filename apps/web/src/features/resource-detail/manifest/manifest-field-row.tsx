"use client";
import type { ManifestField, ManifestPlace } from "@binnacle/proto/dashboard";
import { ManifestFieldState } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { OutwardLink } from "../../../ui/outward-link.tsx";
import { placeWords } from "../../../ui/place-words.ts";
import { tLater } from "../../../ui/messages.ts";
import styles from "./manifest.module.css";
import { SOURCE_WORDS, type ComparedWith } from "./source-words.ts";

/** One field: its path and line, and what the manifest and the cluster say where that is not the same. */
export function ManifestFieldRow(props: {
  readonly field: ManifestField;
  readonly manifest: ManifestPlace | undefined;
  readonly source: ComparedWith;
}): ReactNode {
  const { field, manifest, source } = props;
  const { path, state, hidden, desired, live, manager } = field;
  const isSame = state === ManifestFieldState.SAME;
  return (
    <li data-field={path} data-state={isSame ? "same" : "differs"}>
      <div className={styles["head"]}>
        <code>{path}</code>
        <Line field={field} manifest={manifest} />
      </div>
      {isSame && !hidden && (
        <code className={styles["same"]} title={desired}>
          {desired}
        </code>
      )}
      {isSame && hidden && <p className="muted">{tLater(SOURCE_WORDS[source].same)}</p>}
      {!isSame && (
        <dl>
          <dt>{tLater(SOURCE_WORDS[source].side)}</dt>
          <dd>
            {state === ManifestFieldState.EXTRA ? (
              <Absent words={tLater("resource-detail/not-named")} />
            ) : (
              <Value hidden={hidden} text={desired} />
            )}
          </dd>
          <dt>{tLater("resource-detail/cluster")}</dt>
          <dd>
            {state === ManifestFieldState.ABSENT ? (
              <Absent words={tLater("resource-detail/not-there")} />
            ) : (
              <Value hidden={hidden} text={live} />
            )}
            {manager !== "" && <p className="muted">{tLater("resource-detail/written-by", { manager })}</p>}
          </dd>
        </dl>
      )}
    </li>
  );
}

function Value({ hidden, text }: { readonly hidden: boolean; readonly text: string }): ReactNode {
  return hidden ? <Absent words={tLater("resource-detail/value-not-shown")} /> : <code>{text}</code>;
}

function Absent({ words }: { readonly words: string }): ReactNode {
  return <span className="muted">{words}</span>;
}

/** The line that the field comes from, in the main application where its address is known. */
function Line({ field, manifest }: { readonly field: ManifestField; readonly manifest: ManifestPlace | undefined }): ReactNode {
  if (manifest === undefined || field.line === 0) return null;
  const { line, state } = field;
  const place = placeWords({ path: manifest.path, line });
  const title =
    state === ManifestFieldState.EXTRA ? tLater("resource-detail/around", { place }) : tLater("resource-detail/field-source", { place });
  return (
    <OutwardLink url={manifest.url.replace(/#L\d+$/, `#L${line}`)} title={title}>
      {tLater("resource-detail/line", { line })}
    </OutwardLink>
  );
}
