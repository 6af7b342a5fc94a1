/** Commands that let kubectl use a token with one agent. @param of.server address of the k8s-proxy */
export function kubectlCommands(of: { readonly server: string; readonly agentId: number; readonly token: string }): string {
  const name = `binnacle-${of.agentId}`;
  return [
    `kubectl config set-cluster ${name} --server=${quoted(of.server.replace(/\/$/, ""))}`,
    `kubectl config set-credentials ${name} --token=${quoted(`pat:${of.agentId}:${of.token}`)}`,
    `kubectl config set-context ${name} --cluster=${name} --user=${name}`,
    `kubectl config use-context ${name}`,
  ].join("\n");
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
