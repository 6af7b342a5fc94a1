/** Label names and values; values come from closed sets. */
type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric; its samples are computed when it is read. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly samples: () => readonly Sample[];
}

/**
 * Metrics as Prometheus reads them. A client library would take a fifth of the memory an idle agent may have, for counters and gauges.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/ "Text-based format", version 0.0.4
 */
export class TextMetrics {
  readonly contentType = "text/plain; version=0.0.4; charset=utf-8";
  readonly #metrics: readonly Metric[];

  constructor(metrics: readonly Metric[]) {
    this.#metrics = metrics;
  }

  metrics(): string {
    return this.#metrics.map(textOf).join("\n");
  }
}

/** A counter with one label. */
export class LabelledCounter {
  readonly #counts = new Map<string, number>();
  readonly #label: string;

  constructor(label: string) {
    this.#label = label;
  }

  /** Once more. */
  add(value: string): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }

  get samples(): readonly Sample[] {
    return [...this.#counts].map(([value, count]) => ({ labels: { [this.#label]: value }, value: count }));
  }
}

function textOf({ name, help, type, samples }: Metric): string {
  const lines = samples().map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${valueText(value)}\n`);
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
