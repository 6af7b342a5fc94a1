export { kubeconfigText, type KubeconfigContent } from "./kubeconfig-text.ts";
export { startKubeSandbox, type KubeSandbox, type KubeSandboxOptions } from "./start-kube-sandbox.ts";
