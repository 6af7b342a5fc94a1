import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";

import { isMacKeyboard } from "../../ui/keys/key-words.ts";
import type { ScreenSize } from "./terminal-connection.ts";

const SCROLLBACK_LINES = 5_000;
/** As text anywhere else on the page (WCAG 2.2, 1.4.3), whatever colours a program chooses. */
const MIN_CONTRAST = 4.5;

/** What happens on a screen. */
export interface ScreenEvents {
  typed(bytes: Uint8Array): void;
  resized(size: ScreenSize): void;
  /** The focus is to leave the screen: a terminal takes the Tab key. */
  left(): void;
}

/** The screen of one terminal, drawn by xterm. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #observer: ResizeObserver;

  /** @param element the screen fills it, and has its colours */
  constructor(element: HTMLElement, { label, events }: { readonly label: string; readonly events: ScreenEvents }) {
    const { color, backgroundColor } = getComputedStyle(element);
    this.#terminal = new Terminal({
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 13,
      lineHeight: 1.2,
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: MIN_CONTRAST,
      theme: { background: backgroundColor, foreground: color, cursor: color },
      // The text of a link that a program writes can differ from its address.
      linkHandler: { activate: () => undefined },
    });
    this.#terminal.loadAddon(this.#fit);
    withNoncedStyles(() => this.#terminal.open(element));
    this.#terminal.textarea?.setAttribute("aria-label", label);
    const encoder = new TextEncoder();
    this.#terminal.onData((text) => events.typed(encoder.encode(text)));
    // Reports of a mouse, a byte a character.
    this.#terminal.onBinary((text) => events.typed(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
    this.#terminal.onResize(({ cols, rows }) => events.resized({ columns: cols, rows }));
    this.#terminal.attachCustomKeyEventHandler((event) => this.#ownKey(event, events));
    this.#fit.fit();
    this.#observer = new ResizeObserver(() => this.#fit.fit());
    this.#observer.observe(element);
  }

  get size(): ScreenSize {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** @param taken called when they are drawn */
  write(bytes: Uint8Array | string, taken?: () => void): void {
    this.#terminal.write(bytes, taken);
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** Nothing can be typed any more. */
  end(): void {
    this.#terminal.options.disableStdin = true;
    this.#terminal.options.cursorBlink = false;
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#terminal.dispose();
  }

  /** @returns whether the terminal takes the key */
  #ownKey(event: KeyboardEvent, events: ScreenEvents): boolean {
    if (event.ctrlKey && event.shiftKey && event.code === "ArrowUp") {
      event.preventDefault();
      if (event.type === "keydown") events.left();
      return false;
    }
    // The browser's own: it copies and pastes by the events that xterm handles.
    if (isMacKeyboard() || !event.ctrlKey) return true;
    if (event.shiftKey && event.code === "KeyV") return false;
    if (event.code !== "KeyC" || !this.#terminal.hasSelection()) return true;
    // With a selection, as in a text; without one it interrupts the program.
    event.preventDefault();
    if (event.type === "keydown") {
      document.execCommand("copy");
      this.#terminal.clearSelection();
    }
    return false;
  }
}

/**
 * Puts the nonce of our policy on the style elements that are made meanwhile: xterm makes all of its own while it is opened, and without a nonce
 * their rules have no effect. Its option `documentOverride` does not reach the one of its scrollbar. A browser hides the attribute from selectors,
 * not from scripts of the page (HTML, "Nonces").
 *
 * @param work makes them before it returns
 */
function withNoncedStyles(work: () => void): void {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
  const createElement = document.createElement.bind(document);
  const value = (name: string): HTMLElement => {
    const element = createElement(name);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  // A property of this document in front of the method of all documents.
  Object.defineProperty(document, "createElement", { configurable: true, value });
  try {
    work();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}
