import { LAST_TERM, type ElectionMessage } from "./election-message.ts";

/** What a page is to the others. */
export type Role =
  | { readonly kind: "searching" }
  | { readonly kind: "leading" }
  /** `leader`: its id. */
  | { readonly kind: "following"; readonly leader: string };

/** What an election works with. */
export interface ElectionOptions {
  readonly id: string;
  /** Runs `action` once after `delayMs`; the returned function takes it back. */
  readonly after: (delayMs: number, action: () => void) => () => void;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly isVisible: () => boolean;
  readonly send: (message: ElectionMessage) => void;
  readonly changed: (role: Role) => void;
}

/** A leader says so as often. */
const BEAT_MS = 2_000;
/** A leader that does not answer for so many beats has gone. */
const MAX_MISSES = 3;
/** Beats for which a page ignores a leader that did not serve it: for ever, and two busy pages that did not serve each other would both lead. */
const DISTRUSTED_BEATS = 8;
/** A page waits this long for an existing leader. */
const SEARCH_MS = 150;

type Message<W extends ElectionMessage["what"]> = Extract<ElectionMessage, { what: W }>;

/**
 * Pages agree on one that leads. No clock is read: a leader is given up after beats of this page in which it was pinged and did not
 * answer, so that a page that slept, or whose clock jumped, asks before it acts. Two that lead at a moment see it by each other's
 * beats, and all decide alike: the later term wins, and the smaller id within a term. A hidden page, whose timers the browser slows down
 * and which it may freeze, hands over to one that is shown.
 */
export class LeaderElection {
  readonly #options: ElectionOptions;
  #role: Role = { kind: "searching" };
  /** The last one that this page knows of. */
  #term = 0;
  #misses = 0;
  #isLeaderHidden = false;
  /** It claimed to lead, and served no page. */
  #distrusted: string | undefined;
  #distrustedBeats = 0;
  #cancelBeat = (): void => {};
  #cancelSearch = (): void => {};

  constructor(options: ElectionOptions) {
    this.#options = options;
  }

  get role(): Role {
    return this.#role;
  }

  /** The page comes, or comes back. */
  start(): void {
    this.#beatLater();
    this.#search();
  }

  /** The page goes. */
  stop(): void {
    this.#cancelBeat();
    this.#cancelSearch();
    const wasLeading = this.#role.kind === "leading";
    this.#become({ kind: "searching" });
    if (wasLeading) this.#say({ what: "resign" });
  }

  /** The page is shown, or hidden. */
  shown(): void {
    // A timer of a hidden page may be far away.
    this.#beatLater();
    if (this.#role.kind === "leading") this.#lead(this.#term);
    else this.#ask();
  }

  /** The leader does not serve this page. */
  distrust(leader: string): void {
    if (this.#role.kind !== "following" || this.#role.leader !== leader) return;
    this.#distrusted = leader;
    this.#distrustedBeats = 0;
    this.#search();
  }

  /** Handles a message of another page. */
  hear(message: ElectionMessage): void {
    const { id } = this.#options;
    if (message.from === id) return;
    // It does not claim to lead any more.
    if (message.from === this.#distrusted && message.what !== "lead") this.#distrusted = undefined;
    switch (message.what) {
      case "who":
        return this.#answer(message);
      case "lead":
        return this.#meet(message);
      case "hand-over":
        if (message.to === id && this.#role.kind !== "leading" && message.term > this.#term) this.#lead(message.term);
        return;
      case "resign":
        if (this.#role.kind === "following" && this.#role.leader === message.from) this.#search();
        return;
      case "join":
      default:
    }
  }

  #answer({ from, visible }: Message<"who">): void {
    if (this.#role.kind !== "leading") return;
    this.#lead(this.#term);
    if (visible && !this.#options.isVisible()) this.#say({ what: "hand-over", to: from, term: this.#nextTerm() });
  }

  #meet({ from, term, visible }: Message<"lead">): void {
    if (from === this.#distrusted) return;
    const { id } = this.#options;
    const role = this.#role;
    const known = role.kind === "leading" ? id : role.kind === "following" ? role.leader : undefined;
    if (known !== undefined && known !== from && !this.#isBetter({ term, from }, known)) {
      if (role.kind === "leading") this.#lead(this.#term);
      return;
    }
    this.#distrusted = undefined;
    this.#term = term;
    this.#misses = 0;
    this.#isLeaderHidden = !visible;
    if (known === from) return;
    this.#cancelSearch();
    this.#become({ kind: "following", leader: from });
  }

  #isBetter({ term, from }: { readonly term: number; readonly from: string }, known: string): boolean {
    return term === this.#term ? from < known : term > this.#term;
  }

  #beatLater(): void {
    this.#cancelBeat();
    this.#cancelBeat = this.#options.after(BEAT_MS, () => {
      this.#beatLater();
      this.#beat();
    });
  }

  #beat(): void {
    this.#distrustedBeats += 1;
    if (this.#distrustedBeats > DISTRUSTED_BEATS) this.#distrusted = undefined;
    if (this.#role.kind === "leading") return this.#lead(this.#term);
    if (this.#role.kind === "searching") return;
    this.#misses += 1;
    if (this.#misses > MAX_MISSES) return this.#search();
    // Its own beat resets the count: who is not hidden and misses none need not ask.
    if (this.#misses > 1 || (this.#isLeaderHidden && this.#options.isVisible())) this.#ask();
  }

  /** A page that is shown comes first. */
  #search(): void {
    this.#cancelSearch();
    this.#misses = 0;
    this.#become({ kind: "searching" });
    this.#ask();
    const rank = this.#options.isVisible() ? 0 : 1;
    this.#cancelSearch = this.#options.after(SEARCH_MS * (1 + 2 * rank + this.#options.random()), () => this.#lead(this.#nextTerm()));
  }

  #lead(term: number): void {
    this.#cancelSearch();
    this.#term = term;
    this.#become({ kind: "leading" });
    this.#say({ what: "lead", term, visible: this.#options.isVisible() });
  }

  #ask(): void {
    this.#say({ what: "who", visible: this.#options.isVisible() });
  }

  #nextTerm(): number {
    return Math.min(this.#term + 1, LAST_TERM);
  }

  #say(message: ElectionMessage extends infer M ? (M extends { from: string } ? Omit<M, "from"> : never) : never): void {
    this.#options.send({ ...message, from: this.#options.id });
  }

  #become(role: Role): void {
    const before = this.#role;
    const isSame = before.kind === role.kind && (before.kind !== "following" || role.kind !== "following" || before.leader === role.leader);
    this.#role = role;
    if (!isSame) this.#options.changed(role);
  }
}
