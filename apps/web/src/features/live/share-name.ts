import { sessionOfPage } from "./sign-out-channel.ts";

/** Pages of another build or of another session share nothing with this one. The worker takes the session from the end of it. */
export function shareName(): string {
  return `binnacle ${process.env.BINNACLE_BUILD ?? ""} ${sessionOfPage()}`;
}
