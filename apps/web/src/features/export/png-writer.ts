import type { Drawing } from "@binnacle/presentation/drawing/svg-writer";
import type { MadeFile } from "@binnacle/presentation/export/made-file";
import { tLater } from "../../ui/messages.ts";

/** Where screens have two pixels for one, a picture with one looks blurred. */
const SCALE = 2;

/** As many as every browser draws, phones too (WebKit: 16,777,216). */
const MAX_PIXELS = 16_000_000;

const MAX_SIDE = 8_192;

/** How large a picture of so large a drawing is: twice as large where it can be, less where browsers could not draw it. */
export function pngScale({ width, height }: Pick<Drawing, "width" | "height">): number {
  return Math.min(SCALE, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / width, MAX_SIDE / height);
}

/** A drawing as a picture of pixels, drawn by the browser. @throws when it cannot */
export async function pngOf(drawing: Drawing): Promise<MadeFile> {
  const scale = pngScale(drawing);
  const url = URL.createObjectURL(new Blob([drawing.svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.floor(drawing.width * scale));
    canvas.height = Math.max(1, Math.floor(drawing.height * scale));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const content = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, "image/png");
    });
    if (content === null) throw new Error(tLater("export/png/no-room"));
    const percent = Math.floor(scale * 100);
    return {
      content,
      extension: "png",
      ...(scale < 1 ? { note: tLater("export/png/scaled", { percent, of: MAX_PIXELS / 1_000_000 }) } : {}),
    };
  } finally {
    URL.revokeObjectURL(url);
  }
}
