import { stringify } from "yaml";

/** A kubeconfig with one cluster and one user. */
export interface KubeconfigContent {
  /** Of the context, the cluster and the user. */
  readonly name: string;
  readonly server: string;
  readonly token: string;
  readonly namespace?: string;
  /** Absolute path of the authority that signed the server's certificate. */
  readonly caFile?: string | undefined;
  /** That authority itself as PEM text, for a file that is carried elsewhere. */
  readonly caPem?: string;
}

/** The text of a kubeconfig with one context. */
export function kubeconfigText(content: KubeconfigContent): string {
  const { name, server, token, namespace, caFile, caPem } = content;
  const authority = {
    ...(caFile === undefined ? {} : { "certificate-authority": caFile }),
    ...(caPem === undefined ? {} : { "certificate-authority-data": Buffer.from(caPem).toString("base64") }),
  };
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      clusters: [{ name, cluster: { server, ...authority } }],
      contexts: [{ name, context: { cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) } }],
      users: [{ name, user: { token } }],
    },
    // A certificate stays on its line.
    { lineWidth: 0 },
  );
}
