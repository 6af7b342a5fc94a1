"use client";
import type { CompareManifestResponse } from "@binnacle/proto/dashboard";
import { ManifestFieldState } from "@binnacle/proto/dashboard-enums";
import { useState, type ReactNode } from "react";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { placeWords } from "../../ui/place-words.ts";
import { said, sayLater } from "../../ui/said.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { LoadProblem } from "./load-problem.tsx";
import { ManifestFieldRow } from "./manifest-field-row.tsx";
import styles from "./manifest.module.css";
import type { ComparisonState } from "./use-comparison.ts";
import { sayLaterWith } from "../../ui/say-with.ts";

/** A resource beside the manifest that an agent applies it from: what Git says, what the cluster has, and at which line. */
export function ManifestTab({ comparison, kept }: { readonly comparison: ComparisonState; readonly kept: boolean }): ReactNode {
  const { answer, problem, loading } = comparison;
  return (
    <>
      <LoadProblem resource={comparison} what="manifest" />
      {answer !== undefined && <Comparison answer={answer} />}
      {answer === undefined && loading && <output>{sayLater("resource-detail/loading")}</output>}
      {answer === undefined && !loading && problem === undefined && (
        <p className="muted">{kept ? sayLater("resource-detail/manifest-not-available") : sayLater("resource-detail/there-no-manifest")}</p>
      )}
    </>
  );
}

function Comparison({ answer }: { readonly answer: CompareManifestResponse }): ReactNode {
  const { words, manifest, project, sha, fields, different, compared, cut } = answer;
  const [chosen, setChosen] = useState<boolean>();
  const isOnlyDifferent = chosen ?? different > 0;
  const shown = fields.filter(({ state }) => !isOnlyDifferent || state !== ManifestFieldState.SAME);
  const left = (isOnlyDifferent ? different : compared) - shown.length;
  return (
    <>
      {manifest !== undefined && (
        <p className={styles["from"]}>
          <OutwardLink url={manifest.url} title={manifest.path}>
            <code>{placeWords(manifest)}</code>
          </OutwardLink>{" "}
          <span className="muted">{sayLaterWith("resource-detail/of-at", { project, shortSha: <code>{shortSha(sha)}</code> })}</span>
        </p>
      )}
      {words !== undefined ? (
        <p className={styles["why"]}>{sayLater("resource-detail/not-compared", { said: said(words) })}</p>
      ) : (
        <>
          <div className={styles["sum"]}>
            <p>{sumWords(answer)}</p>
            {different > 0 && different < compared && (
              <label>
                <input type="checkbox" checked={isOnlyDifferent} onChange={(event) => setChosen(event.target.checked)} />{" "}
                {sayLater("resource-detail/only-what-differs")}
              </label>
            )}
          </div>
          <ul className={styles["fields"]} data-different={different}>
            {shown.map((field) => (
              <ManifestFieldRow key={field.path} field={field} manifest={manifest} />
            ))}
          </ul>
          {left > 0 && <p className="muted">{sayLater("resource-detail/more-left", { left })}</p>}
          {cut && <p className="muted">{sayLater("resource-detail/object-has-more")}</p>}
          <p className="muted">{sayLater("resource-detail/what-manifest-does")}</p>
        </>
      )}
    </>
  );
}

function sumWords({ different, compared }: CompareManifestResponse): string {
  if (compared === 0) return sayLater("resource-detail/manifest-names-no");
  if (different === 0)
    return compared === 1 ? sayLater("resource-detail/one-field-as") : sayLater("resource-detail/all-fields-as", { compared });
  return sayLater("resource-detail/field-differs-from", { different, compared });
}
