/** How a screen is viewed. */
export interface Look {
  readonly theme: "light" | "dark";
  /** What the system asks for; "zoom" is a window of 1440 at 200 %, "paper" a sheet of A4. */
  readonly mode: "plain" | "forced" | "calm" | "zoom" | "paper";
  /** Of the window, in pixels. */
  readonly width: number;
}

/** A screen that is opened once, and how it is looked at before another is. */
export type Turn = readonly [opened: Look, ...others: Look[]];

const WIDTHS = [390, 768, 1440, 2560] as const;
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 794: 1123, 1440: 900, 2560: 1440 };
const THEMES = ["light", "dark"] as const;
const MODES = ["plain", "forced", "calm"] as const;

/** "light-390", "dark-1440-forced". */
export function nameOfLook({ theme, mode, width }: Look): string {
  return [theme, width, ...(mode === "plain" ? [] : [mode])].join("-");
}

/** The window of a look, in pixels of style sheets. */
export function windowOf({ width, mode }: Look): { readonly width: number; readonly height: number } {
  const height = HEIGHTS[width] ?? 900;
  return mode === "zoom" ? { width: width / 2, height: height / 2 } : { width, height };
}

/** Every look there is: a screen is opened at each width, because a page may be another there from its beginning. */
export const ALL_TURNS: readonly Turn[] = [
  ...WIDTHS.map((width): Turn => [inLight(width), ...MODES.flatMap((mode) => inBoth(width, mode)).slice(1)]),
  [inLight(1440, "zoom"), { theme: "dark", mode: "zoom", width: 1440 }, inLight(794, "paper")],
];

/**
 * Looks of a screen in each run of the tests: both themes, in turns on a phone and on a laptop, because to open a screen takes longest.
 *
 * @param index of the screen, from 0
 */
export function mainTurnsOf(index: number): readonly Turn[] {
  const width = index % 2 === 0 ? 1440 : 390;
  return [[inLight(width), { theme: "dark", mode: "plain", width }]];
}

/**
 * Looks of a screen in `looks.spec.ts`: both themes on a phone and on a laptop, and of the rest each width and each mode once. The themes
 * and the widths that go with them alternate, so that every two of width, mode and theme meet on some screen; paper is not among them.
 *
 * @param index of the screen, from 0
 */
export function turnsOf(index: number): readonly Turn[] {
  const [first, second] = index % 2 === 0 ? THEMES : THEMES.toReversed();
  const [onTablet, onWall] = Math.floor(index / 2) % 2 === 0 ? (["forced", "calm"] as const) : (["calm", "forced"] as const);
  const rest: readonly Look[] = [
    { theme: first ?? "light", mode: onTablet, width: 768 },
    { theme: second ?? "dark", mode: onWall, width: 2560 },
    { theme: Math.floor(index / 4) % 2 === 0 ? "light" : "dark", mode: "zoom", width: 1440 },
  ];
  return [
    [inLight(390), { theme: "dark", mode: "plain", width: 390 }],
    [inLight(1440), { theme: "dark", mode: "plain", width: 1440 }, ...rest],
  ];
}

function inLight(width: number, mode: Look["mode"] = "plain"): Look {
  return { theme: "light", mode, width };
}

function inBoth(width: number, mode: Look["mode"]): readonly Look[] {
  return THEMES.map((theme) => ({ theme, mode, width }));
}
