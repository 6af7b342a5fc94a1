export { kubeconfigText, type KubeconfigContent } from "./kubeconfig-text.ts";
export { madeUpUsage, type MadeUpUsage } from "./made-up-usage.ts";
export { startKubeSandbox, type KubeSandbox, type KubeSandboxOptions } from "./start-kube-sandbox.ts";
