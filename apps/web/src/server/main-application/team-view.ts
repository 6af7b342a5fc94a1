import type { ScopeRules, ViewScope } from "@binnacle/environment-view";
import type { Words } from "@binnacle/words";

/** What a project's file has to do with one of its environments. */
export interface TeamView {
  /** Which part of the cluster the environment is; absent: the file does not say. */
  readonly scope?: ViewScope;
  /** By which its objects are drawn, judged and counted beside those that hold for everybody; absent: by no others. */
  readonly rules?: ScopeRules;
  /** Links to the page in other states, in the order of the file. */
  readonly views?: readonly PageLink[];
  /** What everybody who opens the environment is to know of the file. */
  readonly notices: readonly Words[];
}

/** A state of the page under a name. */
export interface PageLink {
  readonly name: string;
  /** What follows the `?`, as the page would write it itself: everything else of the file's value is dropped. */
  readonly query: string;
}
