/** A card that a pointer rests on, or that has the keyboard's focus. */
export interface HoveredCard {
  readonly id: string;
  readonly element: HTMLElement;
}

/** Whoever rests for so long wants to know more. */
const SHOW_MS = 400;
/** The way from a card to what opened beside it. */
const HIDE_MS = 200;

/** Which card somebody rests on: not those that he passes over, and not the one that he has just pressed or sent away. */
export class CardHover {
  readonly #tell: (card: HoveredCard | undefined) => void;
  #shown: HTMLElement | undefined;
  #wanted: HTMLElement | undefined;
  #dismissed: HTMLElement | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (card: HoveredCard | undefined) => void) {
    this.#tell = tell;
  }

  /** Something is told of a card. */
  get isShown(): boolean {
    return this.#shown !== undefined;
  }

  /** A pointer or the focus is on this card now, or on none. */
  over(card: HTMLElement | undefined): void {
    if (card !== this.#dismissed) this.#dismissed = undefined;
    else if (card !== undefined) return;
    if (card === this.#wanted && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = card;
    if (card === this.#shown) return;
    this.#timer = setTimeout(() => this.#show(card), card === undefined ? HIDE_MS : SHOW_MS);
  }

  /** What is told of the card is being read. */
  stay(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = this.#shown;
  }

  /** Nothing more of this card, until somebody comes back to it. */
  dismiss(): void {
    this.#dismissed = this.#wanted ?? this.#shown;
    this.#show(undefined);
  }

  /** Nothing is told any more. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #show(card: HTMLElement | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = card;
    if (card === this.#shown) return;
    this.#shown = card;
    const id = card?.dataset["nodeId"];
    this.#tell(card === undefined || id === undefined ? undefined : { id, element: card });
  }
}
