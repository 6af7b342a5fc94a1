"use client";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { sayLater } from "../../../ui/said.ts";
import { useCopy } from "../../../ui/use-copy.ts";
import { LineField } from "./line-field.tsx";
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
  const copyLabel = sayLater(copied ? "yaml/copied" : "yaml/copy");
  return (
    <div className={styles["tools"]}>
      <FindField search={search} />
      {onLine && <LineField line={line} onLine={onLine} />}
      {edit}
      <button type="button" className="btn sm" aria-pressed={wraps} onClick={() => onWrap(!wraps)}>
        {sayLater("yaml/wrap")}
      </button>
      <button type="button" className="btn ghost icon sm" aria-label={copyLabel} title={copyLabel} onClick={copy}>
        <Icon name={copied ? "check" : "copy"} />
      </button>
      <button
        type="button"
        className="btn ghost icon sm"
        aria-label={sayLater("yaml/download")}
        title={sayLater("resource-detail/file", { fileName })}
        onClick={() => saveFile(new Blob([yaml], { type: "application/yaml" }), fileName)}
      >
        <Icon name="save" />
      </button>
    </div>
  );
}
