import type { PartName } from './tally.ts';

/** Names of the measures. */
export type MeasureName = PartName | 'continuation';

/** A column of the result. */
export interface Measure {
  readonly title: string;
  /** One sentence on what it is. */
  readonly meaning: string;
  /** Parts that are counted; the value is the mean of their ratios. */
  readonly parts: readonly PartName[];
  /** `share`: 0 to 1. */
  readonly unit: 'share' | 'dollars';
  readonly better: 'higher' | 'lower';
}

const share = (title: string, meaning: string, ...parts: PartName[]): Measure => ({
  title,
  meaning,
  parts,
  unit: 'share',
  better: 'higher',
});

/**
 * The measures, in the order of the result. Each is blind to something; a compactor that does well on one only is exposed by
 * the others.
 */
export const measures: Readonly<Record<MeasureName, Measure>> = {
  used: {
    title: 'budget used',
    meaning: 'Tokens of the output, as a share of the budget. Over 100 %, the oldest messages were removed.',
    parts: ['used'],
    unit: 'share',
    better: 'lower',
  },
  facts: share(
    'facts',
    'Pairs of exact names that the agent used together later and that are still together.',
    'facts',
  ),
  verbatim: share('verbatim', 'Text of 40 and more characters that the agent repeated later.', 'verbatim'),
  continuation: share(
    'continuation',
    "What an agent must know to continue: mean of changed files, the user's messages, last verdicts, conclusions, open todos and recent commands.",
    'files',
    'userLog',
    'verdicts',
    'conclusions',
    'todos',
    'commands',
  ),
  files: share(
    'files changed',
    'Changed files that are said to be changed. A bare list of paths tells nothing.',
    'files',
  ),
  userLog: share('user log', 'Beginnings of the messages that a person wrote.', 'userLog'),
  verdicts: share('last verdicts', 'Last results of tests, builds and other checks.', 'verdicts'),
  conclusions: share(
    'conclusions',
    'First sentences of what the agent told the user at the end of a turn.',
    'conclusions',
  ),
  todos: share('open todos', 'Unfinished items of the last todo list.', 'todos'),
  commands: share('recent commands', 'The newest 20 shell commands that did more than look something up.', 'commands'),
  chain: share('chain', 'Facts after several compactions in a row, at the last cut.', 'chain'),
  once: share('one compaction', 'Facts after a single compaction to the same size, at the last cut.', 'once'),
  recall: share(
    'recall',
    'Facts with searches in what was removed, by an agent that looks for what it lost.',
    'recall',
  ),
  openai: share(
    'valid, OpenAI',
    'Outputs that the chat completions API accepts: closed tool pairs, JSON, no empty messages.',
    'openai',
  ),
  anthropic: share('valid, Anthropic', 'Outputs whose roles alternate, too.', 'anthropic'),
  strict: share('valid, strict', 'Outputs that strict chat templates accept.', 'strict'),
  request: share('request', 'Current requests that are kept word for word.', 'request'),
  canaryRules: share(
    'planted rules',
    'Rules in many languages that were planted early, kept word for word.',
    'canaryRules',
  ),
  canaryFacts: share('planted facts', 'Facts that were planted early, name and value still together.', 'canaryFacts'),
  dollars: {
    title: 'dollars',
    meaning:
      'A whole conversation before a prompt cache, at the prices of Claude Sonnet 4; calls for summaries included if the compactor tells them.',
    parts: ['dollars'],
    unit: 'dollars',
    better: 'lower',
  },
  judge: share('judge', 'Questions about the original that a model answers correctly from the output.', 'judge'),
};

export const evaluationMeasures: readonly MeasureName[] = Object.keys(measures) as MeasureName[];
