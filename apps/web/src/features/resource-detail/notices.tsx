import type { Notice } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { Since } from "../why/since.tsx";
import { NextStep } from "../why/why-chain.tsx";
import styles from "./drawer.module.css";

/** What is worth knowing though it does not change the status. */
export function Notices({ notices }: { readonly notices: readonly Notice[] }): ReactNode {
  if (notices.length === 0) return null;
  return (
    <section>
      <h3>{tLater("resource-detail/notices")}</h3>
      <ul className={styles["notices"]}>
        {notices.map((notice) => (
          <li key={`${notice.reason}${messageText(notice.words)}`} data-notice={notice.reason}>
            <Icon name="info" size={14} />
            <div>
              <LongText text={messageText(notice.words) || notice.reason} />
              <NextStep text={messageText(notice.next)} />
              {notice.since !== undefined && (
                <div className="muted num">
                  <Since atMs={millisOf(notice.since)} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
