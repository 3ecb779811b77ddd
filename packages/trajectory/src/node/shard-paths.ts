/** The files of one output. */
export interface ShardPaths {
  readonly output: string;
  /** A line of JSON for each trajectory. */
  readonly metrics: string;
  /** A line of JSON for each row that was rejected, with its text. */
  readonly rejects: string;
  /** The sums, and what was run. */
  readonly report: string;
}

/** What lies beside `train.jsonl` or `train.jsonl.gz`: `train.metrics.jsonl`, `train.rejects.jsonl`, `train.report.json`. */
export function shardPaths(output: string): ShardPaths {
  const stem = output.replace(/\.gz$/, '').replace(/\.(?:jsonl|ndjson|json)$/, '');
  return {
    output,
    metrics: `${stem}.metrics.jsonl`,
    rejects: `${stem}.rejects.jsonl`,
    report: `${stem}.report.json`,
  };
}

/** True for a file that a run leaves beside its output. */
export function isByproduct(name: string): boolean {
  return /\.(?:metrics|rejects)\.jsonl$|\.report\.json$|\.journal$|\.part$|\.part-[\w-]+$/.test(name);
}
