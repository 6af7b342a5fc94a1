import {
  HEALTH_ORDER,
  issueTitle,
  type HealthCause,
  type HealthNotice,
  type HealthRef,
  type HealthResult,
  type IssueGroup,
  type RollUp,
  type Why,
} from "@binnacle/health";
import {
  CauseSchema,
  EnvironmentHealthSchema,
  IssueGroupSchema,
  NoticeSchema,
  ResourceHealthSchema,
  WhyLevel,
  WhyLinkSchema,
  WhySchema,
  type Cause,
  type EnvironmentHealth,
  type IssueGroup as IssueMessage,
  type Notice,
  type ResourceHealth,
  type ResourceRef,
  type Why as WhyMessage,
  type WhyLink as WhyLinkMessage,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { create } from "@bufbuild/protobuf";

import { timeField } from "../base/timestamp-of.ts";
import { ACTIVITY, STATUS, statusOf } from "./status-of.ts";
import type { ViewNames } from "./view-names.ts";

const LEVEL = {
  resource: WhyLevel.RESOURCE,
  container: WhyLevel.CONTAINER,
  event: WhyLevel.EVENT,
  reference: WhyLevel.REFERENCE,
} as const satisfies Record<Why["chain"][number]["level"], WhyLevel>;

/** Why something is not well: as issues are grouped by it, and as it is sent. */
export interface ReportedReason {
  readonly why: Why;
  readonly message: WhyMessage;
}

/** Puts what health says into messages: resources get the names that URLs need. */
export class ViewWording {
  readonly #names: () => ViewNames;

  constructor(names: () => ViewNames) {
    this.#names = names;
  }

  /** @param rule of the user that decided; empty for a built-in one */
  health(result: HealthResult, rule: string, why: ReportedReason | undefined): ResourceHealth {
    const { status, reason, message, because, since, stale, moreCauses = 0 } = result;
    return create(ResourceHealthSchema, {
      status: STATUS[status],
      reason,
      words: toWordsMessage(message),
      ...(because === undefined ? {} : { because: toWordsMessage(because) }),
      ...timeField("since", since),
      stale,
      causes: result.causes.map((cause) => this.#cause(cause)),
      moreCauses,
      ...(why === undefined ? {} : { why: why.message }),
      rule,
    });
  }

  why(why: Why): ReportedReason {
    const { reason, message, nextStep, firstBadAt, precededBy } = why;
    const content = create(WhySchema, {
      chain: why.chain.map((link) => this.#link(link)),
      reason,
      words: toWordsMessage(message),
      next: toWordsMessage(nextStep),
      ...timeField("firstBadAt", firstBadAt),
      ...(precededBy === undefined
        ? {}
        : {
            precededBy: {
              what: precededBy.what,
              ref: this.#ref(precededBy.ref),
              ...timeField("at", precededBy.at),
              words: toWordsMessage(precededBy.message),
            },
          }),
    });
    return { why, message: content };
  }

  notice({ reason, message, nextStep, since }: HealthNotice): Notice {
    return create(NoticeSchema, { reason, words: toWordsMessage(message), next: toWordsMessage(nextStep), ...timeField("since", since) });
  }

  /**
   * @param whyOf why a resource is not well, as it was sent last
   * @param hidden kinds that are not readable, "secrets" or "widgets.example.com"
   */
  rollUp(rollUp: RollUp, whyOf: (ref: HealthRef) => ReportedReason | undefined, hidden: string[]): EnvironmentHealth {
    const { status, partial, reason, message, counts, issues, issuesTotal, resourcesTotal, uncounted, uncountedTotal, activities } = rollUp;
    return create(EnvironmentHealthSchema, {
      status: statusOf(status),
      partial,
      reason,
      words: toWordsMessage(message),
      counts: HEALTH_ORDER.flatMap((each) => (counts[each] > 0 ? [{ status: STATUS[each], count: counts[each] }] : [])),
      issues: issues.map((group) => this.#issue(group, whyOf)),
      hidden,
      issuesTotal,
      resourcesTotal,
      uncounted: uncounted.map((group) => this.#issue(group, whyOf)),
      uncountedTotal,
      activities: activities.map(({ status: of, activity, count, nodes }) => ({
        status: STATUS[of],
        activity: ACTIVITY[activity],
        count,
        nodes: [...nodes],
      })),
    });
  }

  #issue(group: IssueGroup, whyOf: (ref: HealthRef) => ReportedReason | undefined): IssueMessage {
    const { key, status, reason, message, nextStep, since, membersTotal, members, kinds, notice, node = "" } = group;
    // How it came to its status says nothing of a notice.
    const why = notice ? undefined : members[0] && whyOf(members[0].ref);
    return create(IssueGroupSchema, {
      key,
      status: STATUS[status],
      reason,
      words: toWordsMessage(message),
      reasonWords: toWordsMessage(issueTitle(group)),
      ...(nextStep === undefined ? {} : { next: toWordsMessage(nextStep) }),
      ...timeField("since", since),
      ...(why === undefined ? {} : { why: why.message }),
      membersTotal,
      members: members.map((member) => ({ ref: this.#ref(member.ref), status: STATUS[member.status] })),
      kinds: [...kinds],
      notice,
      node,
    });
  }

  #link({ level, ref, container = "", status, reason, message, since }: Why["chain"][number]): WhyLinkMessage {
    const fields = { level: LEVEL[level], ref: this.#ref(ref), container, status: STATUS[status], reason, words: toWordsMessage(message) };
    return create(WhyLinkSchema, { ...fields, ...timeField("since", since) });
  }

  #cause({ ref, status, reason, message, since }: HealthCause): Cause {
    const fields = { ref: this.#ref(ref), status: STATUS[status], reason, words: toWordsMessage(message) };
    return create(CauseSchema, { ...fields, ...timeField("since", since) });
  }

  #ref(ref: HealthRef): ResourceRef {
    return this.#names().ref(ref);
  }
}
