import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { animatedPicture, stillPicture } from "./animated-picture.ts";

const png = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();

describe("an animated picture", () => {
  test("shows each picture for its time, and begins again", async () => {
    const animation = await animatedPicture([
      { image: await png("red"), ms: 400 },
      { image: await png("green"), ms: 1_500 },
      { image: await png("blue"), ms: 250 },
    ]);
    expect(await sharp(animation).metadata()).toMatchObject({ format: "webp", pages: 3, width: 60, delay: [400, 1_500, 250], loop: 0 });
    const dominant = async (page: number) => (await sharp(animation, { page }).stats()).dominant;
    expect((await dominant(0)).r).toBeGreaterThan(200);
    expect((await dominant(2)).b).toBeGreaterThan(200);
  });

  test.each([
    ["no picture", []],
    ["more than 20 s", [10_000, 10_001]],
  ])("is refused with %s", async (_name, times) => {
    const image = await png("red");
    await expect(animatedPicture(times.map((ms) => ({ image, ms })))).rejects.toThrow(RangeError);
  });
});

test("a still picture has one page of the same size", async () => {
  const { format, width, height, pages } = await sharp(await stillPicture(await png("red"))).metadata();
  expect({ format, width, height, pages: pages ?? 1 }).toEqual({ format: "webp", width: 60, height: 40, pages: 1 });
});
