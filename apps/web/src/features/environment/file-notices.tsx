"use client";
import type { Words } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { messageText, t } from "../../ui/messages.ts";
import styles from "./environment.module.css";

/** What is wrong with the project's own file, or why it was not read: one as a line, more of them as a list that opens. */
export function FileNotices({ notices }: { readonly notices: readonly Words[] }): ReactNode {
  const [first, ...more] = new Set(notices.map(messageText));
  if (first === undefined) return null;
  return (
    <output className="banner missing" data-file-notices={1 + more.length}>
      <Icon name="info" />
      <span className={styles["notices"]}>
        {first}
        {more.length > 0 && (
          <details>
            <summary>{t("environment/more-file-notes", { count: more.length })}</summary>
            <ul>
              {more.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </details>
        )}
      </span>
    </output>
  );
}
