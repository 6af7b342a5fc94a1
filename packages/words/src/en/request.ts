import type { Catalogue } from "../catalogue.ts";

/** Why a request to a cluster has failed when nobody there has said so. Facts: path, resource, size. */
export const REQUEST = {
  "request/aborted": "the request was aborted",
  "request/api-silent": "the API server does not answer",
  "request/connection-failed": "the connection failed",
  "request/credential-refused": "kas does not accept the credential for this agent",
  "request/kas-silent": "kas does not answer",
  "request/no-answer-in-time": "no answer in time",
  "request/no-carrier": "nobody is left whose credential could carry it",
  "request/no-name": "what is asked for is not named as Kubernetes names things",
  "request/not-wanted": "nobody waits for it any more",
  "request/upload-broken": "the upload broke off",
  "request/upload-stalled": "the upload stalled",
  "answer/broken": "the answer broke off",
  "answer/endless-list": "the list of {resource} does not end",
  "answer/late": "the answer did not end in time",
  "answer/line-broken": "the watch broke off in a line",
  "answer/line-too-long": "a line of the watch is too long",
  "answer/no-event": "a line of the watch cannot be read",
  "answer/no-json": "the answer is not JSON",
  "answer/no-list": "the answer to {path} is not a list",
  "answer/no-object": "the answer to {path} is not an object",
  "answer/not-of-api": "the answer is not one of the API server",
  "answer/too-long": "the answer is longer than {size}",
  "answer/too-much": "too much is being read at a time",
  "answer/watch-broken": "the watch broke off",
} as const satisfies Catalogue;
