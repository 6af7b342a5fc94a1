import { expect, test } from "vitest";
import { kubectlCommands } from "./kubectl-commands.ts";

test("kubectl is set up for one agent, with texts that a shell takes as they are", () => {
  const commands = kubectlCommands({ server: "https://kas.example.test/k8s'proxy/", agentId: 7, token: "binnacle-x" });
  expect(commands.split("\n")).toEqual([
    String.raw`kubectl config set-cluster binnacle-7 --server='https://kas.example.test/k8s'\''proxy'`,
    "kubectl config set-credentials binnacle-7 --token='pat:7:binnacle-x'",
    "kubectl config set-context binnacle-7 --cluster=binnacle-7 --user=binnacle-7",
    "kubectl config use-context binnacle-7",
  ]);
});
