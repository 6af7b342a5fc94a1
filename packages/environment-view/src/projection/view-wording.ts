import type { HealthCause, HealthRef, HealthResult, Why } from "@binnacle/health";

import type { ViewCause, ViewHealth, ViewRef, ViewWhy } from "../view-model.ts";
import { nodeIdOf, type ViewNames } from "./view-names.ts";

/** Turns what health says into what a view says: names become nodes of the view and names that URLs need. */
export class ViewWording {
  readonly #isShown: (id: string) => boolean;
  readonly #names: () => ViewNames;

  constructor(isShown: (id: string) => boolean, names: () => ViewNames) {
    this.#isShown = isShown;
    this.#names = names;
  }

  health(result: HealthResult, rule: string, why: ViewWhy | undefined): ViewHealth {
    const { status, reason, message, since, stale } = result;
    const causes = result.causes.map((cause) => this.cause(cause));
    return {
      status,
      reason,
      message,
      ...(since === undefined ? {} : { since }),
      stale,
      causes,
      ...(why === undefined ? {} : { why }),
      rule,
    };
  }

  cause(cause: HealthCause, why?: ViewWhy): ViewCause {
    const { status, reason, message, since } = cause;
    return {
      ...this.#place(cause.ref),
      status,
      reason,
      message,
      ...(since === undefined ? {} : { since }),
      ...(why === undefined ? {} : { why }),
    };
  }

  why(why: Why): ViewWhy {
    const { reason, message, nextStep, firstBadAt, precededBy } = why;
    return {
      chain: why.chain.map(({ ref, container = "", level, status, since, ...words }) => ({
        level,
        ...this.#place(ref),
        container,
        status,
        reason: words.reason,
        message: words.message,
        ...(since === undefined ? {} : { since }),
      })),
      reason,
      message,
      nextStep,
      ...(firstBadAt === undefined ? {} : { firstBadAt }),
      ...(precededBy === undefined
        ? {}
        : { precededBy: { what: precededBy.what, ...this.#place(precededBy.ref), at: precededBy.at, message: precededBy.message } }),
    };
  }

  #place(ref: HealthRef): { readonly nodeId: string; readonly ref: ViewRef } {
    const id = nodeIdOf(ref);
    return { nodeId: this.#isShown(id) ? id : "", ref: this.#names().ref(ref) };
  }
}
