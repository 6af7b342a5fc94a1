"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { useCopy } from "../../ui/use-copy.ts";
import styles from "./missing-role.module.css";

/** The Role that a viewer lacks, to be given to a person who may create it; nothing where none is known. */
export function MissingRole({ yaml }: { readonly yaml: string }): ReactNode {
  const [copied, copy] = useCopy(() => yaml);
  if (yaml === "") return null;
  return (
    <>
      <p className={styles["rule"]}>{tLater("resource/missing-rule")}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <section className={styles["role"]} data-missing-role="" tabIndex={0} aria-label={tLater("resource/missing-rule")}>
        <pre translate="no">{yaml.trimEnd()}</pre>
      </section>
      <button type="button" className="btn sm" onClick={copy}>
        <Icon name={copied ? "check" : "copy"} size={14} />
        {copied ? tLater("ui/copied") : tLater("resource/copy-role")}
      </button>
    </>
  );
}
