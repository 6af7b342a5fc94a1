/** Whether a built-in kind has a health rule of its own. (Rules follow.) */
export function hasHealthRule(_group: string, _kind: string): boolean {
  return false;
}

/** Whether kinds of this API group are custom: not served by Kubernetes itself. (Follows.) */
export function isCustomGroup(_group: string): boolean {
  return false;
}
