import { Fault, Slots, type Slot } from "@binnacle/rpc";

/** On whose behalf bytes are held: an agent's tunnels, a user's requests, or another kas. */
export interface LedgerOwner {
  readonly kind: "agent" | "user" | "peer";
  readonly id: string;
}

/** What may be held, in bytes. */
export interface LedgerLimits {
  readonly processBytes: number;
  readonly agentBytes: number;
  readonly userBytes: number;
}

/** Bytes one stream holds in this process: half a message, a message that is being inflated, writes that the other side does not read. */
export interface ByteAccount {
  /** Bytes it holds now. */
  readonly held: number;
  /**
   * Books bytes. An owner over its limit loses its largest stream at once, perhaps this one.
   *
   * @returns false when the owner holds so much that a stream that held nothing must wait: stop reading until `onRoom`
   */
  charge(bytes: number): boolean;
  release(bytes: number): void;
  /** What is also held, and changes without a word: looked at with each `ByteLedger.sample`. */
  probe(held: () => number): void;
  /** Called once when there is room after `charge` returned false. */
  onRoom(resume: () => void): void;
  /** The stream is gone; gives everything back. */
  close(): void;
}

/** An account that is never full, for streams of this machine's own. */
export const unlimitedAccount: ByteAccount = {
  held: 0,
  charge: () => true,
  release: () => undefined,
  probe: () => undefined,
  onRoom: () => undefined,
  close: () => undefined,
};

interface Owner {
  readonly who: LedgerOwner;
  readonly limitBytes: number;
  readonly streams: Slots<StreamAccount>;
  readonly waiting: Set<StreamAccount>;
  held: number;
}

/**
 * One account per stream → agent or user → process. Above half of a limit, streams that hold nothing wait; above the limit the largest
 * stream of the largest owner is cut, with the reason. Owners that hold little never notice.
 */
export class ByteLedger {
  readonly #limits: LedgerLimits;
  readonly #onCut: (kind: LedgerOwner["kind"], scope: "owner" | "process") => void;
  readonly #owners = new Map<string, Owner>();
  #held = 0;

  /** @param onCut counts streams that were cut, by whose limit it was */
  constructor(limits: LedgerLimits, onCut: (kind: LedgerOwner["kind"], scope: "owner" | "process") => void = () => undefined) {
    this.#limits = limits;
    this.#onCut = onCut;
  }

  /** Bytes held in all, or by one owner. */
  held(owner?: LedgerOwner): number {
    return owner === undefined ? this.#held : (this.#owners.get(keyOf(owner))?.held ?? 0);
  }

  /** Whether an owner is over the mark from which its streams are slowed. */
  isShort(owner: LedgerOwner): boolean {
    const known = this.#owners.get(keyOf(owner));
    return known !== undefined && this.#isSlow(known);
  }

  /** Figures for gauges; all are zero when no stream is open. */
  counts(): { readonly held: number; readonly owners: number; readonly streams: number; readonly waiting: number } {
    let streams = 0;
    let waiting = 0;
    for (const owner of this.#owners.values()) {
      streams += owner.streams.size;
      waiting += owner.waiting.size;
    }
    return { held: this.#held, owners: this.#owners.size, streams, waiting };
  }

  /** Books what the probes of all streams say now; call it about once a second. */
  sample(): void {
    for (const owner of this.#owners.values()) for (const account of owner.streams.values()) account.sample();
  }

  /**
   * An account for a new stream.
   *
   * @param cut ends the stream with a Fault `over_budget`; called at most once
   */
  open(who: LedgerOwner, cut: (fault: Fault) => void): ByteAccount {
    const owner = this.#ownerOf(who);
    const account = new StreamAccount(this, owner, cut);
    account.slot = owner.streams.add(account);
    return account;
  }

  /** Of an account. @returns whether it may go on */
  changed(owner: Owner, account: StreamAccount, bytes: number): boolean {
    owner.held += bytes;
    this.#held += bytes;
    if (bytes < 0) {
      this.#makeRoom(owner);
      return true;
    }
    while (owner.held > owner.limitBytes && this.#cutLargest(owner, "owner"));
    while (this.#held > this.#limits.processBytes && this.#cutLargest(largest(this.#owners.values()), "process"));
    // A stream that already holds bytes goes on: it would wait for itself forever.
    return account.held > bytes || !this.#isSlow(owner);
  }

  #cutLargest(owner: Owner | undefined, scope: "owner" | "process"): boolean {
    const account = owner && largest(owner.streams.values());
    if (!owner || !account || account.held === 0) return false;
    const whose = scope === "owner" ? `${owner.who.kind} holds ${owner.limitBytes}` : `process holds ${this.#limits.processBytes}`;
    this.#onCut(owner.who.kind, scope);
    account.cut(new Fault("over_budget", `this ${whose} unread bytes; its largest stream was ended`));
    return true;
  }

  /** Of an account. */
  closed(owner: Owner, account: StreamAccount): void {
    if (account.slot) owner.streams.remove(account.slot);
    owner.waiting.delete(account);
    if (owner.streams.size === 0) this.#owners.delete(keyOf(owner.who));
  }

  #makeRoom(owner: Owner): void {
    for (const account of owner.waiting) {
      if (this.#isSlow(owner)) return;
      owner.waiting.delete(account);
      account.goOn();
    }
  }

  /** Over half of its own limit; or of the process's, while it holds more than its equal share of that. */
  #isSlow(owner: Owner): boolean {
    if (owner.held > owner.limitBytes / 2) return true;
    return this.#held > this.#limits.processBytes / 2 && owner.held * this.#owners.size > this.#held;
  }

  #ownerOf(who: LedgerOwner): Owner {
    const known = this.#owners.get(keyOf(who));
    if (known) return known;
    const { agentBytes, userBytes, processBytes } = this.#limits;
    const limitBytes = { agent: agentBytes, user: userBytes, peer: processBytes }[who.kind];
    const owner: Owner = { who, limitBytes, streams: new Slots(), waiting: new Set(), held: 0 };
    this.#owners.set(keyOf(who), owner);
    return owner;
  }
}

const NOTHING = (): void => undefined;

class StreamAccount implements ByteAccount {
  readonly #ledger: ByteLedger;
  readonly #owner: Owner;
  readonly #cut: (fault: Fault) => void;
  /** Its place among the streams of its owner. */
  slot: Slot<StreamAccount> | undefined;
  #resume = NOTHING;
  #held = 0;
  #probe: (() => number) | undefined;
  #sampled = 0;
  #open = true;

  constructor(ledger: ByteLedger, owner: Owner, cut: (fault: Fault) => void) {
    this.#ledger = ledger;
    this.#owner = owner;
    this.#cut = cut;
  }

  get held(): number {
    return this.#held;
  }

  charge(bytes: number): boolean {
    if (!this.#open || bytes <= 0) return true;
    this.#held += bytes;
    return this.#ledger.changed(this.#owner, this, bytes);
  }

  release(bytes: number): void {
    const given = Math.min(bytes, this.#held);
    if (!this.#open || given <= 0) return;
    this.#held -= given;
    this.#ledger.changed(this.#owner, this, -given);
  }

  probe(held: () => number): void {
    this.#probe = held;
  }

  sample(): void {
    const now = this.#probe?.() ?? 0;
    const grown = now - this.#sampled;
    this.#sampled = now;
    if (grown > 0) this.charge(grown);
    else this.release(-grown);
  }

  onRoom(resume: () => void): void {
    if (!this.#open) return;
    this.#resume = resume;
    this.#owner.waiting.add(this);
  }

  goOn(): void {
    const resume = this.#resume;
    this.#resume = NOTHING;
    resume();
  }

  close(): void {
    if (!this.#open) return;
    this.release(this.#held);
    this.#open = false;
    this.#ledger.closed(this.#owner, this);
  }

  /** Ends its stream; what it held is given back at once, whenever the stream is really gone. */
  cut(fault: Fault): void {
    this.close();
    this.#cut(fault);
  }
}

function keyOf({ kind, id }: LedgerOwner): string {
  return `${kind}:${id}`;
}

function largest<T extends { readonly held: number }>(all: Iterable<T>): T | undefined {
  let top: T | undefined;
  for (const each of all) if (top === undefined || each.held > top.held) top = each;
  return top;
}
