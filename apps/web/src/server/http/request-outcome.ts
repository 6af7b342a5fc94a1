import type { SignInBound } from "./sign-in-limit.ts";
import type { CallBound } from "../wire/call-limits.ts";

/** Everything that is refused at the door, by what it ran into. */
export type RefusalReason = CallBound | SignInBound | "body" | "method" | "request" | "upgrade";

/** How a request ended: the class of its status, or "aborted" when the client did not wait for the end. */
export type RequestOutcome = "2xx" | "3xx" | "4xx" | "5xx" | "aborted";
