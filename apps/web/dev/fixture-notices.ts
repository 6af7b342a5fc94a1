import { weightOfNotice, type NoticeWeight } from "@binnacle/health";
import { HealthStatus, IssueGroupSchema, type IssueGroup, type Node } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { reasonOf, wordsOf } from "./issue-words-of.ts";

/** Notices of nodes as the roll-up lists them, of one weight. */
export function noticeGroups(nodes: readonly Node[], weight: NoticeWeight): IssueGroup[] {
  return nodes.flatMap((node) =>
    node.notices
      .filter(({ words }) => words !== undefined && weightOfNotice({ message: { id: words.id, facts: {} } }) === weight)
      .map(({ reason, words, next }) => {
        const messages = { ...(words === undefined ? {} : { words }), ...(next === undefined ? {} : { next }) };
        return create(IssueGroupSchema, {
          ...ofOne(node),
          key: `notice/${reason}/${node.id}`,
          ...reasonOf(reason),
          ...messages,
          notice: true,
        });
      }),
  );
}

/** What is suspended, as the roll-up lists it. */
export function suspendedGroups(roots: readonly Node[]): IssueGroup[] {
  return roots
    .filter(({ health }) => health?.status === HealthStatus.SUSPENDED)
    .map((node) =>
      create(IssueGroupSchema, {
        ...ofOne(node),
        key: `suspended/${node.id}`,
        ...reasonOf(node.health?.reason ?? ""),
        ...wordsOf(node.health),
      }),
    );
}

function ofOne({ ref, health }: Node) {
  const status = health?.status ?? HealthStatus.HEALTHY;
  return { status, membersTotal: 1, members: [{ ...(ref === undefined ? {} : { ref }), status }], kinds: [ref?.kind ?? ""] };
}
