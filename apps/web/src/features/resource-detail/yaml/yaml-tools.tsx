"use client";
import { type ReactNode, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { tLater } from "../../../ui/messages.ts";
import { useCopy } from "../../../ui/use-copy.ts";
import { saveFile } from "../../../ui/save-file.ts";
import styles from "./yaml.module.css";
import { FindField, type YamlSearch } from "./yaml-find.tsx";

/** What can be done with an object's YAML: find something in it, wrap it, copy it, keep it as a file. */
export function YamlTools(props: {
  readonly yaml: string;
  readonly fileName: string;
  readonly search: YamlSearch;
  readonly wraps: boolean;
  readonly onWrap: (wraps: boolean) => void;
  /** The lines that the address names, as it names them. */
  readonly line?: string;
  readonly onLine?: (line: string) => void;
  /** Opens an editor. */
  readonly edit?: ReactNode;
}): ReactNode {
  const { yaml, fileName, search, wraps, onWrap, line = "", onLine, edit } = props;
  const [copied, copy] = useCopy(() => yaml);
  const copyLabel = tLater(copied ? "ui/copied" : "yaml/copy");
  return (
    <div className={styles["tools"]}>
      <FindField search={search} />
      {onLine && <LineField line={line} onLine={onLine} />}
      {edit}
      <button type="button" className="btn sm" aria-pressed={wraps} onClick={() => onWrap(!wraps)}>
        {tLater("yaml/wrap")}
      </button>
      <button type="button" className="btn ghost icon sm" aria-label={copyLabel} title={copyLabel} onClick={copy}>
        <Icon name={copied ? "check" : "copy"} />
      </button>
      <button
        type="button"
        className="btn ghost icon sm"
        aria-label={tLater("yaml/download")}
        title={tLater("resource-detail/file", { fileName })}
        onClick={() => saveFile(new Blob([yaml], { type: "application/yaml" }), fileName)}
      >
        <Icon name="save" />
      </button>
    </div>
  );
}

/** The lines that the address names, to be read and written with a keyboard: Enter goes there, nothing goes back to none. */
function LineField({ line, onLine }: { readonly line: string; readonly onLine: (line: string) => void }): ReactNode {
  const [typed, setTyped] = useState(line);
  const [shown, setShown] = useState(line);
  // The address has changed: its text is shown, unless the user is typing. The field stays, and with it the focus.
  if (shown !== line) {
    setShown(line);
    if (typed === shown) setTyped(line);
  }
  return (
    <span className={`find ${styles["line"]}`}>
      <input
        inputMode="numeric"
        aria-label={tLater("yaml/line-field")}
        title={tLater("yaml/line-field")}
        placeholder={tLater("yaml/line")}
        value={typed}
        pattern="\d+(-\d+)?"
        onChange={(event) => setTyped(event.target.value.replaceAll(/[^\d-]/g, ""))}
        onBlur={() => setTyped(line)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && event.currentTarget.validity.valid) onLine(typed);
          if (event.key === "Escape") setTyped(line);
        }}
      />
    </span>
  );
}
