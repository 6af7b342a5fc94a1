/**
 * Sentences about faults that were not true, or advice that made them worse. None of them may stand anywhere while all worlds are
 * in one cluster: whatever words a page finds for them, not these.
 */
const FALSE_SENTENCES: readonly (readonly [what: string, sentence: RegExp])[] = [
  ["a Service with pods behind it that reaches none", /Service service-port-name\b.*\bendpoints? (?:is|are) ready/],
  ["a Secret that a Certificate makes", /Create Secret certificate-chain-tls/],
  ["a run that hangs", /CronJob cron-job-hangs.*A run is in progress/],
  ["runs that were never started, described as one that failed", /The last run of CronJob cron-job-(?:missed|hangs) did not succeed/],
  ["pods of two budgets, all of which are healthy", /PodDisruptionBudget budgets-\w+ counts 1 healthy pod/],
  ["a label that no node has", /enough of its replicas in their zone/],
  ["selectors of which each is right", /Give Deployment autoscalers-web a pod selector/],
  ["a pull secret that the pod has", /give the pod an imagePullSecret for its registry private\.example/],
  ["an entry without an address", /The load balancer has an address/],
  ["a registry that is not found", /nosuch\.invalid\/shop\/\w+:[\d.]+]?: it does not exist in the registry/],
  ["a sidecar", /Init container mesh/i],
  ["a claim that waits rightly", /PersistentVolumeClaim claim-waits is not bound yet/],
  ["an image that no spec names", /\bof the spec\b/],
  ["an entrypoint whose cause was cut off", /docker-entrypoint\.sh[^:]*…/],
  ["a pod that cannot start on a lost node", /node-lost-log\S* (?:is starting|has not started)|read the events of pod node-lost-log/],
  ["a pod of a lost node, described as evicted", /\bnode-lost(?:-log|-7d9f)?\b(?!-evicted).*\b[Ee]victed\b/],
  ["a place that nothing fills", /\bundefined\b|\[object Object\]|\{[a-z]+\}|: {2}| {2}\./],
];

/** Which of them a text holds, one line after the other. */
export function falseSentencesIn(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) => FALSE_SENTENCES.flatMap(([what, sentence]) => (sentence.test(line) ? [`${what}: ${line}`] : [])));
}
