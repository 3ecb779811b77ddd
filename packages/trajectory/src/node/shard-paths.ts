/** The output of a shard and the files next to it. */
export interface ShardPaths {
  readonly output: string;
  /** One line of JSON per trajectory. */
  readonly metrics: string;
  /** One line of JSON per rejected row, with its text. */
  readonly rejects: string;
  /** The totals and the settings. */
  readonly report: string;
}

/** The paths for `train.jsonl` or `train.jsonl.gz`: `train.metrics.jsonl`, `train.rejects.jsonl`, `train.report.json`. */
export function shardPaths(output: string): ShardPaths {
  const stem = output.replace(/\.gz$/, '').replace(/\.(?:jsonl|ndjson|json)$/, '');
  return {
    output,
    metrics: `${stem}.metrics.jsonl`,
    rejects: `${stem}.rejects.jsonl`,
    report: `${stem}.report.json`,
  };
}

/** True for the name of a file that a run writes next to its output. */
export function isByproduct(name: string): boolean {
  return /\.(?:metrics|rejects)\.jsonl$|\.report\.json$|\.journal$|\.part$|\.part-[\w-]+$/.test(name);
}
