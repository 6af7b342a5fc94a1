import { expect, test } from "vitest";

import { locationWithin } from "./redirect.ts";

const ORIGIN = {
  scheme: "http",
  namespace: "monitoring",
  service: "prometheus",
  port: "9090",
  endpoint: { address: "10.0.0.7", port: 9091 },
};
const within = (location: string) => locationWithin(ORIGIN, "/api/v1/query?x=1", location);

test.each([
  ["/graph", "/graph"],
  ["labels", "/api/v1/labels"],
  ["?y=2", "/api/v1/query?y=2"],
  ["../v2/", "/api/v2/"],
  ["http://prometheus.monitoring.svc:9090/graph#a", "/graph#a"],
  ["http://prometheus.monitoring.svc.cluster.local:9090/", "/"],
  ["http://prometheus:9090/", "/"],
  ["http://10.0.0.7:9091/x", "/x"],
])("a redirect within the service is passed on: %s", (location, expected) => {
  expect(within(location)).toBe(expected);
});

test.each([
  "http://169.254.169.254/latest/meta-data/",
  "//169.254.169.254/",
  "https://prometheus.monitoring.svc:9090/",
  "http://prometheus.monitoring.svc:9091/",
  "http://prometheus.monitoring.svc/",
  "http://other.monitoring.svc:9090/",
  "http://10.0.0.8:9091/",
  "http://a@prometheus.monitoring.svc:9090/",
  "/\\169.254.169.254/",
  "/\t/169.254.169.254/",
  "http://10.0.0.7:9091//169.254.169.254/",
  "javascript:alert(1)",
  "http://[",
])("T36: a redirect to another place is refused: %j", (location) => {
  expect(() => within(location)).toThrow("redirects to another place");
});
