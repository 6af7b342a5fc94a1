/** A random id in hexadecimal digits. `crypto.randomUUID` exists in secure contexts only, and pages also come over plain HTTP. @param bytes of randomness */
export function randomId(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
