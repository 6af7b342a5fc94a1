/** Cookie that keeps the chosen theme; without it the system decides. */
export const THEME_COOKIE = "binnacle_theme";

/** Value for `data-theme`; `undefined` leaves it to the system. */
export function themeAttribute(cookie: string | undefined): "light" | "dark" | undefined {
  return cookie === "light" || cookie === "dark" ? cookie : undefined;
}
