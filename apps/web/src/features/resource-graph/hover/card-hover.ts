/** A card that a pointer rests on, or that has the keyboard's focus. */
export interface HoveredCard {
  readonly id: string;
  readonly element: HTMLElement;
}

/** The tip opens after the pointer has rested this long. */
const SHOW_MS = 400;
/** The way from a card to what opened beside it. */
const HIDE_MS = 200;

/** The card that the pointer rests on: not one that it passes over, and not one that was just pressed or dismissed. */
export class CardHover {
  readonly #tell: (card: HoveredCard | undefined) => void;
  #shown: HTMLElement | undefined;
  #wanted: HTMLElement | undefined;
  #dismissed: HTMLElement | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (card: HoveredCard | undefined) => void) {
    this.#tell = tell;
  }

  /** The tip of a card is open. */
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

  /** The pointer is on the tip. */
  stay(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = this.#shown;
  }

  /** No tip of this card until the pointer returns to it. */
  dismiss(): void {
    this.#dismissed = this.#wanted ?? this.#shown;
    this.#show(undefined);
  }

  /** The tip is closed. */
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
