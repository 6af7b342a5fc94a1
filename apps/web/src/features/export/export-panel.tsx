"use client";
import { useState, type ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import { freshnessOf, timesOf } from "@binnacle/presentation/view/freshness";
import type { ExportFormat, ExportMenuProps } from "./export-format.ts";
import styles from "./export.module.css";
import { scopeLines, type ExportScope } from "@binnacle/presentation/export/export-scope";
import { exportScopeOf } from "./export-scope.ts";
import { saveFile } from "../../ui/save-file.ts";
import { tLater } from "../../ui/messages.ts";

/** So much of an environment's name: file systems allow 255 bytes for all of it. */
const MAX_CHARS = 80;

/** The formats, and above them what every file of them says of itself. */
export function ExportPanel({ subject, formats, gaps }: ExportMenuProps): ReactNode {
  const view = useView();
  const now = useNow();
  const [url] = useUrlState();
  const [making, setMaking] = useState("");
  const [outcome, setOutcome] = useState("");
  const freshness = freshnessOf(view, now);
  const scope = exportScopeOf({ subject, view, freshness, url, nowMs: now, gaps: gaps() });
  const make = async ({ key, title, make: begin }: ExportFormat): Promise<void> => {
    setMaking(key);
    setOutcome(tLater("export/making", { title }));
    try {
      const { content, extension, note } = await begin(scope);
      const name = fileNameOf(scope, extension);
      saveFile(content, name);
      setOutcome([tLater("export/saved", { name }), note].filter(Boolean).join(" "));
    } catch (error) {
      setOutcome(tLater("export/failed", { title, what: error instanceof Error ? error.message : tLater("export/unknown-reason") }));
    } finally {
      setMaking("");
    }
  };
  return (
    <>
      <ul className={styles["about"]} aria-label={tLater("export/contents")}>
        {scopeLines(scope).map((line) => (
          <li key={line}>
            <WithTimes text={line} times={[scope.asOfMs, ...timesOf(freshness)]} now={now} />
          </li>
        ))}
      </ul>
      <ul className={styles["formats"]}>
        {formats.map((format) => (
          <li key={format.key}>
            <button
              type="button"
              data-format={format.key}
              aria-disabled={making !== ""}
              // It tells how it went.
              onClick={() => (making === "" ? void make(format) : undefined)}
            >
              <b className="b">{format.title}</b>
              <span>{format.does}</span>
            </button>
          </li>
        ))}
      </ul>
      <output className={styles["outcome"]}>{outcome}</output>
    </>
  );
}

/** "production-graph-2026-11-24T18-39-19Z.svg": where, what and when, of signs that every file system takes. */
export function fileNameOf(
  { environment, subject, asOfMs }: Pick<ExportScope, "environment" | "subject" | "asOfMs">,
  extension: string,
): string {
  const where = environment
    .slice(0, MAX_CHARS)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "");
  const at = new Date(asOfMs)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  return `${where === "" ? "environment" : where}-${subject}-${at}.${extension}`;
}
