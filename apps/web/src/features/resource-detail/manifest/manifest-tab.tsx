"use client";
import type { CompareManifestResponse } from "@binnacle/proto/dashboard";
import { ManifestFieldState } from "@binnacle/proto/dashboard-enums";
import { useState, type ReactNode } from "react";
import { LazyCode, useLazyCode } from "../../../ui/lazy-code.ts";
import { OutwardLink } from "../../../ui/outward-link.tsx";
import { placeWords } from "../../../ui/place-words.ts";
import { Preference, usePreference } from "../../../ui/preference.ts";
import { messageText, tLater } from "../../../ui/messages.ts";
import { shortSha } from "../../../ui/short-sha.ts";
import { LoadProblem } from "../load-problem.tsx";
import type { ManifestDiffProps } from "./manifest-diff.tsx";
import { ManifestFieldRow } from "./manifest-field-row.tsx";
import styles from "./manifest.module.css";
import { comparedWith, SOURCE_WORDS, type ComparedWith } from "./source-words.ts";
import type { ComparisonState } from "./use-comparison.ts";
import { tLaterElements } from "../../../ui/message-elements.ts";

type ManifestView = "fields" | "diff";
const MANIFEST_VIEW = new Preference<ManifestView>("manifest-view", "fields", (text) => text === "fields" || text === "diff");
const LAZY_DIFF = new LazyCode(async () => (await import("./manifest-diff.tsx")).ManifestDiff);

/** A resource beside the manifest that it is applied from, or the state that was applied last: field by field, or as a diff. */
export function ManifestTab({ comparison, kept }: { readonly comparison: ComparisonState; readonly kept: boolean }): ReactNode {
  const { answer, problem, loading } = comparison;
  return (
    <>
      <LoadProblem resource={comparison} what="manifest" />
      {answer !== undefined && <Comparison answer={answer} />}
      {answer === undefined && loading && <output>{tLater("ui/loading")}</output>}
      {answer === undefined && !loading && problem === undefined && (
        <p className="muted">{kept ? tLater("resource-detail/manifest-not-available") : tLater("resource-detail/no-manifest")}</p>
      )}
    </>
  );
}

function Comparison({ answer }: { readonly answer: CompareManifestResponse }): ReactNode {
  const { words, manifest, project, sha, source, sourceWords } = answer;
  return (
    <>
      {manifest !== undefined && (
        <p className={styles["from"]}>
          <OutwardLink url={manifest.url} title={manifest.path}>
            <code>{placeWords(manifest)}</code>
          </OutwardLink>{" "}
          <span className="muted">{tLaterElements("resource-detail/of-at", { project, shortSha: <code>{shortSha(sha)}</code> })}</span>
        </p>
      )}
      {sourceWords !== undefined && <p className={styles["from"]}>{messageText(sourceWords)}</p>}
      {words !== undefined ? (
        <p className={styles["why"]}>{tLater("resource-detail/not-compared", { said: messageText(words) })}</p>
      ) : (
        <Compared answer={answer} source={comparedWith(source)} />
      )}
    </>
  );
}

/** The comparison as a list of fields or as a diff. */
function Compared({ answer, source }: { readonly answer: CompareManifestResponse; readonly source: ComparedWith }): ReactNode {
  const { manifest, fields, different, compared, cut, desiredYaml, liveYaml } = answer;
  const [view, setView] = usePreference(MANIFEST_VIEW);
  const [chosen, setChosen] = useState<boolean>();
  const isOnlyDifferent = chosen ?? different > 0;
  const isFields = view === "fields";
  const shown = fields.filter(({ state }) => !isOnlyDifferent || state !== ManifestFieldState.SAME);
  const left = (isOnlyDifferent ? different : compared) - shown.length;
  return (
    <>
      <div className={styles["sum"]}>
        <p>{sumWords(answer, source)}</p>
        {isFields && different > 0 && different < compared && (
          <label>
            <input type="checkbox" checked={isOnlyDifferent} onChange={(event) => setChosen(event.target.checked)} />{" "}
            {tLater("resource-detail/only-differences")}
          </label>
        )}
        {compared > 0 && <ViewChoice view={view} onView={setView} />}
      </div>
      {isFields || compared === 0 ? (
        <>
          <ul className={styles["fields"]} data-different={different}>
            {shown.map((field) => (
              <ManifestFieldRow key={field.path} field={field} manifest={manifest} source={source} />
            ))}
          </ul>
          {left > 0 && <p className="muted">{tLater("resource-detail/more-left", { left })}</p>}
          {cut && <p className="muted">{tLater("resource-detail/too-many-fields")}</p>}
        </>
      ) : (
        <Diff desired={desiredYaml} live={liveYaml} source={source} />
      )}
      <p className="muted">{tLater(SOURCE_WORDS[source].leftOut)}</p>
    </>
  );
}

/** Loaded when it is shown first: the diff algorithm is needed nowhere else. */
function Diff(props: ManifestDiffProps): ReactNode {
  const { code: Loaded, failure } = useLazyCode(LAZY_DIFF, props.desired !== "");
  if (failure !== undefined) throw failure.error;
  if (props.desired === "") return <p className="muted">{tLater("resource-detail/diff-too-large")}</p>;
  return Loaded === undefined ? <output>{tLater("ui/loading")}</output> : <Loaded {...props} />;
}

function ViewChoice({ view, onView }: { readonly view: ManifestView; readonly onView: (view: ManifestView) => void }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is a row of its own
    <span className="seg" role="group" aria-label={tLater("resource-detail/manifest-view")}>
      <button type="button" aria-pressed={view === "fields"} onClick={() => onView("fields")}>
        {tLater("resource-detail/manifest-fields")}
      </button>
      <button type="button" aria-pressed={view === "diff"} onClick={() => onView("diff")}>
        {tLater("resource-detail/manifest-diff")}
      </button>
    </span>
  );
}

function sumWords({ different, compared }: CompareManifestResponse, source: ComparedWith): string {
  const words = SOURCE_WORDS[source];
  if (compared === 0) return tLater("resource-detail/nothing-to-compare");
  if (different === 0) return tLater(words.allSame, { compared });
  return tLater(words.different, { different, compared });
}
