/**
 * What was read of a Secret with a certificate. It holds nothing else of the Secret.
 * - `known`: as it says.
 * - `unreadable`, `wrong-type`: it is there and has no certificate that can be read, or may not hold one.
 * - `not-visible`: the viewer may not read it.
 * - `unknown`: no answer yet.
 * - `unread`: more are named than are read.
 */
export interface CertificateReading {
  readonly state: "known" | "unreadable" | "wrong-type" | "not-visible" | "unknown" | "unread";
  /** DNS names and addresses of the first certificate; at most 100 of at most 253 characters. */
  readonly names?: readonly string[];
  /** There are more of them. */
  readonly namesCut?: boolean;
  /** ISO 8601, of the first certificate. */
  readonly notBefore?: string;
  /** ISO 8601, of the first certificate. */
  readonly notAfter?: string;
  /** ISO 8601: the earliest end of those that follow it. */
  readonly chainNotAfter?: string;
}
