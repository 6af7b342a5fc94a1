import type { IssueGroup, Why } from "@binnacle/proto/dashboard";
import { issueSinceMs, titleOfIssue } from "@binnacle/presentation/health/issue-words";
import { keyOfStatus, lookOf } from "@binnacle/presentation/health/health-status";
import { changeParts, changeWhen, linkText, nameOfLink, nameOfRef } from "@binnacle/presentation/health/why-words";
import { formatSecond } from "@binnacle/presentation/text/format-time";
import { messageText, t } from "@binnacle/presentation/text/messages";
import { markInvisible } from "@binnacle/words";

import { timeText } from "../output/documents.ts";
import type { Styles } from "../output/styles.ts";

/** The title of an issue, as a line. */
export function issueLine(issue: IssueGroup, styles: Styles, nowMs: number): string {
  const sinceMs = issueSinceMs(issue);
  const title = markInvisible(titleOfIssue(issue));
  const line = sinceMs === undefined ? title : t("why/since", { what: title, at: formatSecond(sinceMs, nowMs) });
  return issue.notice ? line : styles.look(lookOf(issue.status), line);
}

/** All that the page says about an issue: title, sentence, next step, the change before it, and the chain to the root cause. */
export function issueText(issue: IssueGroup, styles: Styles, nowMs: number): string {
  const { why } = issue;
  const change = why === undefined ? "" : changeSentence(why, nowMs);
  const next = messageText(issue.next);
  const lines = [
    messageText(issue.words),
    ...(next === "" ? [] : [`${t("why/next-step")} ${next}`]),
    ...(change === "" ? [] : [`${t("why/preceding-change")} ${change}`]),
    ...(why === undefined ? [] : chainLines(why)),
    ...(issue.membersTotal > 1 ? [membersLine(issue)] : []),
  ];
  return [issueLine(issue, styles, nowMs), ...lines.filter((line) => line !== "").map((line) => `  ${markInvisible(line)}`)].join("\n");
}

/** An issue for programs. Words are those of the page, in the language of the program. */
export function issueDocument(issue: IssueGroup) {
  const { why } = issue;
  return {
    title: titleOfIssue(issue),
    status: keyOfStatus(issue.status),
    reason: issue.reason,
    notice: issue.notice,
    since: timeText(issueSinceMs(issue)),
    message: messageText(issue.words),
    next: messageText(issue.next),
    chain: (why?.chain ?? []).map((link, index, chain) => ({
      ...nameOfLink(link, chain[index - 1]),
      status: keyOfStatus(link.status),
      reason: link.reason,
      message: messageText(link.words),
    })),
    resources: issue.members.map(({ ref, status }) => ({
      kind: ref?.kind ?? "",
      namespace: ref?.namespace ?? "",
      name: ref?.name ?? "",
      status: keyOfStatus(status),
    })),
    resourcesTotal: issue.membersTotal,
  };
}

function chainLines({ chain }: Why): readonly string[] {
  return chain.map((link, index) => {
    const { what, name } = nameOfLink(link, chain[index - 1]);
    const named = [what, name].filter((part) => part !== "").join(" ");
    const reason = linkText(link);
    return `${"  ".repeat(index)}${index === 0 ? "" : "└ "}${reason === "" ? named : `${named}: ${reason}`}`;
  });
}

function changeSentence(why: Why, nowMs: number): string {
  const change = why.precededBy;
  if (change === undefined) return "";
  const { before, name, after } = changeParts(change);
  const named = name === "" ? `, ${nameOfRef(change.ref)}` : `${name}${after}`;
  const when = changeWhen(why, nowMs);
  return when === "" ? `${before}${named}` : `${before}${named}, ${when}`;
}

function membersLine(issue: IssueGroup): string {
  const names = issue.members.map(({ ref }) => nameOfRef(ref));
  const rest = issue.membersTotal - names.length;
  const all = rest > 0 ? [...names, t("ui/and-more", { count: rest })] : names;
  return `${t("why/resources", { membersTotal: issue.membersTotal })}: ${all.join(", ")}`;
}
