import sharp from "sharp";

/** A picture that stands for a time before the next. */
export interface TimedPicture {
  /** PNG; all of one animation are as large as each other. */
  readonly image: Buffer;
  readonly ms: number;
}

/** An explanation in a README has to fit into the time that a reader spends on a picture. */
const MAX_MS = 20_000;
/** Below this, artefacts show around small text. */
const QUALITY = 82;
/** The slowest and smallest of libwebp, 0 to 6. */
const EFFORT = 6;

/** Encodes an animated WebP that begins again at its end. @throws RangeError when there is nothing to show, or it takes over 20 s */
export async function animatedPicture(pictures: readonly TimedPicture[]): Promise<Buffer> {
  const totalMs = pictures.reduce((sum, { ms }) => sum + ms, 0);
  if (pictures.length === 0) throw new RangeError("an animation needs pictures");
  if (totalMs > MAX_MS) throw new RangeError(`the animation takes ${totalMs} ms, more than ${MAX_MS}`);
  return sharp(
    pictures.map(({ image }) => image),
    { join: { animated: true } },
  )
    .webp({ quality: QUALITY, effort: EFFORT, minSize: true, loop: 0, delay: pictures.map(({ ms }) => ms) })
    .toBuffer();
}

/** Encodes one picture as WebP. */
export async function stillPicture(image: Buffer): Promise<Buffer> {
  return sharp(image).webp({ quality: QUALITY, effort: EFFORT }).toBuffer();
}
