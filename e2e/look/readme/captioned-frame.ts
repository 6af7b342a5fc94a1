import type { Page } from "playwright-core";

import { settle } from "../show.ts";

/** A moment of a story, as it is shown. */
export interface Moment {
  /** PNG of the page, `SCENE` pixels of style sheets at `SCALE`. */
  readonly image: Buffer;
  /** What happens, below the page; one that begins with "$ " is a command. */
  readonly caption: string;
  /** Where the mouse is, in pixels of the page from its left upper corner. */
  readonly pointer?: { readonly x: number; readonly y: number } | undefined;
}

/** The window in which a story takes place: narrow enough that its texts can be read when a README shows it 830 pixels wide. */
export const SCENE = { width: 1000, height: 760 } as const;
/** Pixels of a picture for each pixel of a style sheet. */
export const SCALE = 1.5;

const CAPTION_PX = 52;
const COLOURS = {
  light: { paper: "#161b22", text: "#f0f3f6", prompt: "#6fdd8b" },
  dark: { paper: "#2a3341", text: "#f0f3f6", prompt: "#6fdd8b" },
} as const;
const POINTER = `<svg width="26" height="26" viewBox="0 0 24 24"><path d="M4 2l15 12.5-7 .8 4 7-3 1.6-3.9-7.1L4 21.5z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg>`;

/**
 * Photographs a moment with its caption.
 *
 * @param desk an empty page of `SCALE` for the drawing
 * @returns a PNG
 */
export async function captionedFrame(desk: Page, { image, caption, pointer }: Moment, theme: "light" | "dark"): Promise<Buffer> {
  const { paper, text, prompt } = COLOURS[theme];
  const isCommand = caption.startsWith("$ ");
  const words = isCommand ? `<b>$</b>&nbsp;${escaped(caption.slice(2))}` : escaped(caption);
  const arrow = pointer === undefined ? "" : `<i style="left:${pointer.x}px;top:${pointer.y}px">${POINTER}</i>`;
  await desk.setViewportSize({ width: SCENE.width, height: SCENE.height + CAPTION_PX });
  await desk.setContent(`<style>
    body{margin:0;position:relative;background:${paper}} img{display:block;width:${SCENE.width}px;height:${SCENE.height}px} i{position:absolute}
    p{margin:0;padding:0 24px;line-height:${CAPTION_PX}px;color:${text};font-size:19px;white-space:nowrap;overflow:hidden;
      font-family:${isCommand ? '"DejaVu Sans Mono",monospace' : '"Noto Sans",system-ui,sans-serif'}} b{color:${prompt}}
    </style><img src="data:image/png;base64,${image.toString("base64")}"><p>${words}</p>${arrow}`);
  await desk.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await settle(desk);
  return desk.screenshot();
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
