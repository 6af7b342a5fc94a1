/** Configuration, storage, rights and addresses: what others need, and what comes in numbers. */
const SUPPORTING: ReadonlySet<string> = new Set([
  "ConfigMap",
  "Secret",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "ServiceAccount",
  "Role",
  "RoleBinding",
  "EndpointSlice",
]);

/** Whether a kind is there for others: the many of one owner are folded, and in a picture they fill gaps instead of making rows. */
export function isSupporting(kind: string): boolean {
  return SUPPORTING.has(kind);
}
