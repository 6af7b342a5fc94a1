// What sends requests to a Kubernetes API, without the views: for those that must stay small.
export { apiFailureOf } from "./http/api-failure.ts";
export { checkRequest, requestHeaders } from "./http/checked-request.ts";
export type { KubeRequest, KubeResponse, KubeTransport } from "./http/kube-transport.ts";
export { createPatientTransport } from "./http/patient-transport.ts";
export { readText } from "./http/read-body.ts";
export { Upload } from "./http/upload.ts";
export { KubeClientError, type RequestStage } from "./base/kube-client.ts";
export { RequestPace } from "./limits/request-pace.ts";
