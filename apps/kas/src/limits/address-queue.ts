import { Fault, type Clock } from "@binnacle/rpc";

/** What the queue is made from. */
export interface AddressQueueOptions {
  readonly clock: Clock;
  /** Milliseconds until one more of the address may have its turn; 0: now. */
  readonly waitMs: (address: string) => number;
  /** The error for a caller that cannot wait or that waited until its timeout. */
  readonly refusal: (address: string) => Fault;
}

/** One caller who waits. */
interface Waiter {
  readonly grant: () => void;
  readonly refuse: (fault: Fault) => void;
}

interface Queue {
  readonly waiters: Waiter[];
  cancelTimer: () => void;
}

/** More of one address do not wait. */
const MAX_PER_ADDRESS = 32;
/** Addresses with at least one waiting caller. */
const MAX_ADDRESSES = 2_000;

/**
 * Callers of an address that may do no more for the moment wait for its next turn. The newest is next, and the oldest is refused when too many
 * wait: what is left of a storm of made-up tokens does not stand in front of a person who comes after it.
 */
export class AddressQueue {
  readonly #options: AddressQueueOptions;
  readonly #queues = new Map<string, Queue>();

  constructor(options: AddressQueueOptions) {
    this.#options = options;
  }

  /**
   * Settles when the caller's turn has come.
   *
   * @param turn.take called then, before the next turn is given to another
   * @throws Fault `refusal`, at once when waiting is in vain, at the latest after `maxWaitMs`; `cancelled`
   */
  wait(address: string, turn: { readonly maxWaitMs: number; readonly signal: AbortSignal; readonly take: () => void }): Promise<void> {
    const { clock, waitMs, refusal } = this.#options;
    if (turn.signal.aborted) return Promise.reject(left());
    const isNew = !this.#queues.has(address);
    if (waitMs(address) > turn.maxWaitMs || (isNew && this.#queues.size >= MAX_ADDRESSES)) return Promise.reject(refusal(address));
    const queue = this.#queues.get(address) ?? { waiters: [], cancelTimer: () => undefined };
    if (queue.waiters.length >= MAX_PER_ADDRESS) queue.waiters[0]?.refuse(refusal(address));
    this.#queues.set(address, queue);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        cancelWait();
        turn.signal.removeEventListener("abort", leave);
        queue.waiters.splice(queue.waiters.indexOf(waiter), 1);
      };
      const refuse = (fault: Fault): void => {
        end();
        this.#arm(address, queue);
        reject(fault);
      };
      const leave = (): void => refuse(left());
      const grant = (): void => {
        end();
        turn.take();
        resolve();
      };
      const waiter: Waiter = { grant, refuse };
      const cancelWait = clock.after(turn.maxWaitMs, () => refuse(refusal(address)));
      turn.signal.addEventListener("abort", leave, { once: true });
      queue.waiters.push(waiter);
      this.#arm(address, queue);
    });
  }

  /** One timer for each address: when its next turn is. */
  #arm(address: string, queue: Queue): void {
    queue.cancelTimer();
    queue.cancelTimer = () => undefined;
    if (queue.waiters.length === 0) return void this.#queues.delete(address);
    queue.cancelTimer = this.#options.clock.after(Math.max(1, Math.ceil(this.#options.waitMs(address))), () => {
      if (this.#options.waitMs(address) <= 0) queue.waiters.at(-1)?.grant();
      this.#arm(address, queue);
    });
  }
}

function left(): Fault {
  return new Fault("cancelled", "the caller left");
}
