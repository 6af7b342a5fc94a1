"use client";
import type { CompareManifestResponse } from "@binnacle/proto/dashboard";
import { ManifestFieldState } from "@binnacle/proto/dashboard-enums";
import { useState, type ReactNode } from "react";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { placeWords } from "../../ui/place-words.ts";
import { said } from "../../ui/said.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { LoadProblem } from "./load-problem.tsx";
import { ManifestFieldRow } from "./manifest-field-row.tsx";
import styles from "./manifest.module.css";
import type { ComparisonState } from "./use-comparison.ts";

/** A resource beside the manifest that an agent applies it from: what Git says, what the cluster has, and at which line. */
export function ManifestTab({ comparison, kept }: { readonly comparison: ComparisonState; readonly kept: boolean }): ReactNode {
  const { answer, problem, loading } = comparison;
  return (
    <>
      <LoadProblem resource={comparison} what="manifest" />
      {answer !== undefined && <Comparison answer={answer} />}
      {answer === undefined && loading && <output>Loading</output>}
      {answer === undefined && !loading && problem === undefined && (
        <p className="muted">{kept ? "The manifest is not available." : "There is no manifest to show."}</p>
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
          <span className="muted">
            of {project} at <code>{shortSha(sha)}</code>
          </span>
        </p>
      )}
      {words !== undefined ? (
        <p className={styles["why"]}>Not compared: {said(words)}.</p>
      ) : (
        <>
          <div className={styles["sum"]}>
            <p>{sumWords(answer)}</p>
            {different > 0 && different < compared && (
              <label>
                <input type="checkbox" checked={isOnlyDifferent} onChange={(event) => setChosen(event.target.checked)} /> Only what differs
              </label>
            )}
          </div>
          <ul className={styles["fields"]} data-different={different}>
            {shown.map((field) => (
              <ManifestFieldRow key={field.path} field={field} manifest={manifest} />
            ))}
          </ul>
          {left > 0 && <p className="muted">and {left} more</p>}
          {cut && <p className="muted">The object has more fields than are compared.</p>}
          <p className="muted">What the manifest does not name is left out: defaults, and what the cluster and its controllers have set.</p>
        </>
      )}
    </>
  );
}

function sumWords({ different, compared }: CompareManifestResponse): string {
  if (compared === 0) return "The manifest names no field that could differ.";
  if (different === 0)
    return compared === 1 ? "The one field is as the manifest says." : `All ${compared} fields are as the manifest says.`;
  return `${different} of ${compared} ${compared === 1 ? "field" : "fields"} ${different === 1 ? "differs" : "differ"} from the manifest.`;
}
