import type { KubeObject } from "@binnacle/kube";
import { renderEnglish } from "@binnacle/words/render-english";
import { describe, expect, test } from "vitest";

import { health } from "../health.ts";
import { whyOf, noticesOf } from "../why/why-of.ts";
import { certificateFacts } from "./certificate-facts.ts";
import { coversHost } from "./host-coverage.ts";
import type { KnownCertificate } from "./known-certificate.ts";

const NOW = "2026-01-01T12:00:00Z";
const ADDRESS = { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } };
const GOOD: KnownCertificate = {
  namespace: "app",
  secret: "tls",
  state: "known",
  names: ["shop.example.com"],
  notBefore: "2025-11-01T00:00:00Z",
  notAfter: "2026-02-01T00:00:00Z",
};
const OVER: KnownCertificate = { ...GOOD, notAfter: "2026-01-01T11:59:59Z" };

function ingress(tls: readonly object[], rules: readonly object[] = []): KubeObject {
  const metadata = { name: "shop", namespace: "app", creationTimestamp: "2025-12-01T00:00:00Z" };
  return { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata, spec: { tls, rules }, status: ADDRESS };
}

function gateway(listeners: readonly object[], conditions: readonly object[] = []): KubeObject {
  const metadata = { name: "gate", namespace: "app", creationTimestamp: "2025-12-01T00:00:00Z" };
  return { apiVersion: "gateway.networking.k8s.io/v1", kind: "Gateway", metadata, spec: { listeners }, status: { conditions } };
}

const SHOP = ingress([{ hosts: ["shop.example.com"], secretName: "tls" }]);

function statusOf(object: KubeObject, certificates: readonly KnownCertificate[], now = NOW): string {
  const result = health(object, { now, certificates });
  return `${result?.status} ${result?.reason}`;
}

function noticed(object: KubeObject, certificates: readonly KnownCertificate[], now = NOW): string[] {
  return noticesOf(object, { now, certificates }).map(({ reason }) => reason);
}

describe("a name of a certificate is for a host", () => {
  test.each([
    ["shop.example.com", "shop.example.com", true],
    ["SHOP.example.com", "shop.EXAMPLE.com", true],
    ["shop.example.com.", "shop.example.com", true],
    ["shop.example.com", "shop.example.com.", true],
    ["*.example.com", "shop.example.com", true],
    ["*.example.com", "a.shop.example.com", false],
    ["*.example.com", "example.com", false],
    ["*.example.com", "*.example.com", true],
    ["shop.example.com", "*.example.com", false],
    ["*.com", "example.com", false],
    ["*", "example.com", false],
    ["sh*.example.com", "shop.example.com", false],
    ["xn--bcher-kva.example", "bücher.example", true],
    ["*.xn--bcher-kva.example", "www.BÜCHER.example", true],
    ["10.0.0.1", "10.0.0.1", true],
    ["*.0.0.1", "10.0.0.1", false],
    ["", "shop.example.com", false],
  ])("%s and %s: %s", (name, host, covered) => {
    expect(coversHost([name], host)).toBe(covered);
  });

  test("no host, and one that is longer than DNS allows, is not missed", () => {
    for (const host of ["", "*", `${"a".repeat(1_000_000)}.example.com`]) expect(coversHost(["x.example.com"], host)).toBe(true);
  });
});

describe("an Ingress", () => {
  test("is as its rule says while nothing is known of its certificate", () => {
    expect(health(SHOP, { now: NOW })?.status).toBe("Healthy");
    for (const state of ["not-visible", "unknown", "unread"] as const) {
      expect(statusOf(SHOP, [{ namespace: "app", secret: "tls", state }])).toBe("Healthy AddressAssigned");
      expect(noticed(SHOP, [{ namespace: "app", secret: "tls", state }])).toEqual([]);
    }
  });

  test("is Degraded since the certificate ended, and not a second before", () => {
    expect(health(SHOP, { now: NOW, certificates: [OVER] })).toMatchObject({
      status: "Degraded",
      reason: "CertificateExpired",
      since: "2026-01-01T11:59:59Z",
    });
    expect(statusOf(SHOP, [OVER], "2026-01-01T11:59:59Z")).toBe("Healthy AddressAssigned");
  });

  test("is Degraded before the certificate begins", () => {
    expect(statusOf(SHOP, [{ ...GOOD, notBefore: "2026-01-01T12:00:01Z" }])).toBe("Degraded CertificateNotYetValid");
    expect(statusOf(SHOP, [{ ...GOOD, notBefore: NOW }])).toBe("Healthy AddressAssigned");
  });

  test("says that once, with its root in the Secret, which all that use it share", () => {
    const other = ingress([{ hosts: ["shop.example.com"], secretName: "tls" }]);
    const keys = [SHOP, { ...other, metadata: { ...other.metadata, name: "other" } }].map(
      (object) => whyOf(object, { now: NOW, certificates: [OVER] })?.rootKey,
    );
    expect(keys).toEqual(["object//Secret/app/tls#network/certificate-expired", "object//Secret/app/tls#network/certificate-expired"]);
    expect(noticed(SHOP, [OVER])).toEqual([]);
  });

  test("is reported fourteen days before the end, for a certificate of six days one day before", () => {
    expect(noticed(SHOP, [GOOD], "2026-01-17T23:59:59Z")).toEqual([]);
    expect(noticed(SHOP, [GOOD], "2026-01-18T00:00:01Z")).toEqual(["CertificateExpiresSoon"]);
    const short = { ...GOOD, notBefore: "2026-01-01T00:00:00Z", notAfter: "2026-01-07T00:00:00Z" };
    expect(noticed(SHOP, [short], "2026-01-05T23:00:00Z")).toEqual([]);
    expect(noticed(SHOP, [short], "2026-01-06T01:00:00Z")).toEqual(["CertificateExpiresSoon"]);
  });

  test("names the hosts that the certificate is not for, and stays Healthy", () => {
    const two = ingress([{ hosts: ["shop.example.com", "a.shop.example.com"], secretName: "tls" }]);
    expect(statusOf(two, [{ ...GOOD, names: ["*.example.com"] }])).toBe("Healthy AddressAssigned");
    const notices = noticesOf(two, { now: NOW, certificates: [{ ...GOOD, names: ["*.example.com"] }] });
    expect(notices.map(({ message }) => renderEnglish(message))).toEqual([
      "Host a.shop.example.com is not among the names of the certificate in Secret tls",
    ]);
  });

  test("an entry without hosts is for the rules that no other entry names", () => {
    const object = ingress(
      [{ secretName: "tls" }, { secretName: "other", hosts: ["pay.example.com"] }],
      [{ host: "shop.example.com" }, { host: "pay.example.com" }, { host: "api.example.com" }],
    );
    const notices = noticesOf(object, { now: NOW, certificates: [GOOD, { ...GOOD, secret: "other", names: ["pay.example.com"] }] });
    expect(notices.map(({ message }) => message.facts["hosts"])).toEqual([["api.example.com"]]);
  });

  test("of a certificate whose names were cut no host is missed", () => {
    expect(noticed(SHOP, [{ ...GOOD, names: ["x.example.com"], namesCut: true }])).toEqual([]);
  });

  test("a Secret of the same name elsewhere says nothing", () => {
    expect(statusOf(SHOP, [{ ...OVER, namespace: "elsewhere" }])).toBe("Healthy AddressAssigned");
  });

  test("without a clock nothing is over", () => {
    expect(health(SHOP, { now: "never", certificates: [OVER] })?.status).toBe("Healthy");
  });

  test("whatever is handed over as certificates, nothing throws", () => {
    for (const odd of [
      null,
      1,
      "x",
      {},
      [null, 1, [], { state: "known" }, { state: "known", secret: "tls", namespace: "app", names: 7 }],
    ]) {
      // Callers may be untyped.
      const context = { now: NOW, certificates: odd as readonly KnownCertificate[] };
      expect(health(SHOP, context)?.status).toBe("Healthy");
      expect(noticesOf(SHOP, context)).toEqual([]);
      expect(certificateFacts(SHOP, context.certificates).length).toBeLessThanOrEqual(1);
    }
  });
});

describe("a Gateway", () => {
  const programmed = [{ type: "Programmed", status: "True", reason: "Programmed" }];
  const listener = (...names: readonly string[]): object => ({
    hostname: "shop.example.com",
    tls: { certificateRefs: names.map((name) => ({ name })) },
  });

  test("is Degraded when a listener has nothing but certificates that are over", () => {
    expect(statusOf(gateway([listener("tls")], programmed), [OVER])).toBe("Degraded CertificateExpired");
  });

  test("is not while another certificate of the listener is good, or not known; the expired one is reported", () => {
    const object = gateway([listener("tls", "new")], programmed);
    expect(statusOf(object, [OVER, { ...GOOD, secret: "new" }])).toMatch(/^Healthy/);
    expect(noticed(object, [OVER, { ...GOOD, secret: "new" }])).toEqual(["CertificateExpired"]);
    expect(statusOf(object, [OVER, { namespace: "app", secret: "new", state: "not-visible" }])).toMatch(/^Healthy/);
    expect(statusOf(object, [OVER])).toMatch(/^Healthy/);
  });

  test("a host is covered by any certificate of its listener", () => {
    const object = gateway([listener("tls", "new")], programmed);
    expect(
      noticed(object, [
        { ...GOOD, names: ["x.example.com"] },
        { ...GOOD, secret: "new" },
      ]),
    ).toEqual([]);
    expect(
      noticed(object, [
        { ...GOOD, names: ["x.example.com"] },
        { ...GOOD, secret: "new", names: [] },
      ]),
    ).toEqual([]);
    expect(noticed(gateway([listener("tls")], programmed), [{ ...GOOD, names: ["x.example.com"] }])).toEqual(["CertificateHostMismatch"]);
  });

  test("what its controller says is worse or the same stands", () => {
    const broken = [{ type: "Programmed", status: "False", reason: "Invalid", message: "no address" }];
    expect(statusOf(gateway([listener("tls")], broken), [OVER])).toMatch(/^Degraded (?!Certificate)/);
  });
});

describe("facts for the drawer", () => {
  const factsOf = (certificate: KnownCertificate): string[] => certificateFacts(SHOP, [certificate]).map(renderEnglish);

  test("names and validity, by whom when it was not read itself, and as of when", () => {
    expect(factsOf(GOOD)).toEqual(["Certificate in Secret tls: valid until 2026-02-01 00:00 UTC, for shop.example.com"]);
    expect(factsOf({ ...GOOD, by: "shop" })).toEqual([
      "Certificate in Secret tls, by Certificate shop: valid until 2026-02-01 00:00 UTC, for shop.example.com",
    ]);
    expect(factsOf({ ...GOOD, asOf: NOW })[0]).toMatch(/\(as of 2026-01-01 12:00 UTC\)$/);
    expect(factsOf({ ...GOOD, names: Array.from({ length: 40 }, (_, index) => `h${index}.example.com`) })[0]).toMatch(/ and 30 more$/);
  });

  test("not knowing has a word of its own", () => {
    const states = ["not-visible", "unknown", "unread", "unreadable", "wrong-type"] as const;
    expect(states.flatMap((state) => factsOf({ namespace: "app", secret: "tls", state }))).toEqual([
      "The certificate in Secret tls is not visible to you",
      "The certificate in Secret tls has not been read yet",
      "The certificate in Secret tls is not read: too many are named here",
      "Secret tls has no readable certificate",
      "Secret tls is not of type kubernetes.io/tls, so its certificate is not read",
    ]);
  });
});
