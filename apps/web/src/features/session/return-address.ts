/** Where to go after signing in: a path of ours, never another origin. */
export function safeReturnPath(value: string | null): string {
  if (value === null || !value.startsWith("/") || value.startsWith("//") || value.includes("\\")) return "/";
  return value;
}

/** Address of our sign-in page that comes back to `path`. */
export function signInPath(path: string): string {
  return `/sign-in?return_to=${encodeURIComponent(path)}`;
}
