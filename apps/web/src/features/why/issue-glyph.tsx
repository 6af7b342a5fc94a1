import type { IssueGroup } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import { lookOf, wordOf } from "../live/health-status.ts";
import { t } from "../../ui/messages.ts";

type ShownIssue = Pick<IssueGroup, "notice" | "status">;

/** The look of an issue: a notice has one of its own, for the status of its members would say that all is well. */
export function lookOfIssue({ notice, status }: ShownIssue): StateLook {
  return notice ? "missing" : lookOf(status);
}

/** Its status as a shape, with the word for readers. */
export function IssueGlyph({ issue }: { readonly issue: ShownIssue }): ReactNode {
  return (
    <span className={`st ${lookOfIssue(issue)}`}>
      {issue.notice ? <Icon name="info" size={16} /> : <StateGlyph look={lookOf(issue.status)} />}
      <span className="visually-hidden">{issue.notice ? t("why/notice") : wordOf(issue.status)}</span>
    </span>
  );
}
