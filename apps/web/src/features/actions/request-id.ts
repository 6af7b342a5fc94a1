/**
 * A random id of a request, as a UUID without its hyphens. Not `crypto.randomUUID`, which pages that came over plain HTTP from another host do
 * not have.
 */
export function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
