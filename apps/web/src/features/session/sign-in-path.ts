/** Address of our sign-in page that comes back to `path`. */
export function signInPath(path: string): string {
  return `/sign-in?return_to=${encodeURIComponent(path)}`;
}
