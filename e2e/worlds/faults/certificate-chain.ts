import type { MakeFaultWorld } from "../fault-world.ts";
import { made, ownedBy } from "../made.ts";

/** A certificate that cannot be issued: the DNS provider refuses the token. */
export const world: MakeFaultWorld = (ago) => {
  const conditions = (reason: string, message: string) => [
    { type: "Ready", status: "False", reason, message, lastTransitionTime: ago(30) },
  ];
  const certificate = made(ago, ["cert-manager.io/v1", "Certificate", "certificate-chain"], {
    metadata: { generation: 1 },
    spec: { secretName: "certificate-chain-tls", dnsNames: ["www.example.com"], issuerRef: { name: "letsencrypt", kind: "ClusterIssuer" } },
    status: {
      conditions: [
        ...conditions("DoesNotExist", "Issuing certificate as Secret does not exist"),
        {
          type: "Issuing",
          status: "True",
          reason: "DoesNotExist",
          message: "Issuing certificate as Secret does not exist",
          lastTransitionTime: ago(30),
        },
      ],
      nextPrivateKeySecretName: "certificate-chain-x7k2p",
    },
  });
  const request = ownedBy(
    certificate,
    made(ago, ["cert-manager.io/v1", "CertificateRequest", "certificate-chain-1"], {
      spec: { request: "", issuerRef: { name: "letsencrypt", kind: "ClusterIssuer" } },
      status: { conditions: conditions("Pending", 'Waiting on certificate issuance from order app/certificate-chain-1-2: "pending"') },
    }),
  );
  const order = ownedBy(
    request,
    made(ago, ["acme.cert-manager.io/v1", "Order", "certificate-chain-1-2"], {
      spec: { issuerRef: { name: "letsencrypt", kind: "ClusterIssuer" } },
      status: { state: "pending", url: "https://acme.example/order/2" },
    }),
  );
  const reason = "Error presenting challenge: 403 Forbidden: invalid API token";
  const challenge = ownedBy(
    order,
    made(ago, ["acme.cert-manager.io/v1", "Challenge", "certificate-chain-1-2-3"], {
      spec: { dnsName: "www.example.com", type: "DNS-01" },
      status: { state: "pending", presented: false, processing: true, reason },
    }),
  );
  const ingress = made(ago, ["networking.k8s.io/v1", "Ingress", "certificate-chain-www"], {
    spec: { rules: [{ host: "www.example.com" }], tls: [{ hosts: ["www.example.com"], secretName: "certificate-chain-tls" }] },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  return {
    fault: "A certificate that cannot be issued: the DNS provider refuses the token",
    objects: [certificate, request, order, challenge, ingress],
    says: {
      of: "Certificate certificate-chain",
      place: "issue",
      cause: ["403 Forbidden: invalid API token"],
      next: ["Challenge certificate-chain-1-2-3"],
      since: ago(60),
    },
  };
};
