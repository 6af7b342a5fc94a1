/** How somebody looks at a screen. */
export interface Look {
  readonly theme: "light" | "dark";
  /** What the system asks for; "zoom" is a window of 1440 at 200 %. */
  readonly mode: "plain" | "forced" | "calm" | "zoom";
  /** Of the window, in pixels. */
  readonly width: number;
}

const WIDTHS = [390, 768, 1440, 2560] as const;
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 1440: 900, 2560: 1440 };
const THEMES = ["light", "dark"] as const;
/** At these widths each screen is always looked at, in both themes. */
const COMMON: readonly number[] = [390, 1440];

/** "light-390", "dark-1440-forced". */
export function nameOfLook({ theme, mode, width }: Look): string {
  return [theme, width, ...(mode === "plain" ? [] : [mode])].join("-");
}

/** The window of a look, in pixels of style sheets. */
export function windowOf({ width, mode }: Look): { readonly width: number; readonly height: number } {
  const height = HEIGHTS[width] ?? 900;
  return mode === "zoom" ? { width: width / 2, height: height / 2 } : { width, height };
}

/** Every look there is, those of one window and one mode side by side: to change them costs a layout. */
export const ALL_LOOKS: readonly Look[] = [
  ...(["plain", "forced", "calm"] as const).flatMap((mode) =>
    WIDTHS.flatMap((width) => THEMES.map((theme): Look => ({ theme, mode, width }))),
  ),
  ...THEMES.map((theme): Look => ({ theme, mode: "zoom", width: 1440 })),
];

const COMMON_LOOKS = ALL_LOOKS.filter(({ mode, width }) => mode === "plain" && COMMON.includes(width));
const REST = ALL_LOOKS.filter((look) => !COMMON_LOOKS.includes(look));

/**
 * What a screen is looked at within CI: both themes on a phone and on a laptop, and one of the rest in turn. The number of the rest and that
 * of the screens have no common divisor that matters: each of the rest meets several screens.
 *
 * @param index of the screen, from 0
 */
export function looksOfTurn(index: number): readonly Look[] {
  const one = REST[index % REST.length];
  return one === undefined ? COMMON_LOOKS : [...COMMON_LOOKS, one];
}
