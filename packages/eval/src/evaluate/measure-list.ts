/**
 * Title and meaning of the measures, in the order of the result. Each is blind to something; a compactor that does well on
 * one only is exposed by the others.
 */
const list = {
  used: [
    'budget used',
    'Tokens of the output, as a share of the budget. Over 100 %, the oldest messages were removed.',
    'share',
    'lower',
  ],
  facts: ['facts', 'Pairs of exact names that the agent used together later and that are still together.'],
  verbatim: ['verbatim', 'Text of 40 and more characters that the agent repeated later.'],
  continuation: [
    'continuation',
    "What an agent must know to continue: mean of changed files, the user's messages, last verdicts, conclusions, open todos and recent commands.",
  ],
  files: ['files changed', 'Changed files that are said to be changed. A bare list of paths does not count.'],
  userLog: ['user log', 'Beginnings of the messages that a person wrote.'],
  verdicts: ['last verdicts', 'Last results of tests, builds and other checks.'],
  conclusions: ['conclusions', 'First sentences of what the agent told the user at the end of a turn.'],
  todos: ['open todos', 'Unfinished items of the last todo list.'],
  commands: ['recent commands', 'The newest 20 shell commands that did more than look something up.'],
  chain: ['chain', 'Facts after several compactions in a row, at the last cut.'],
  once: ['one compaction', 'Facts after a single compaction to the same size, at the last cut.'],
  recall: ['recall', 'Facts with searches in what was removed, by an agent that looks for what it lost.'],
  openai: [
    'valid, OpenAI',
    'Outputs that the chat completions API accepts: closed tool pairs, JSON, no empty messages.',
  ],
  anthropic: ['valid, Anthropic', 'Outputs whose roles alternate, too.'],
  strict: ['valid, strict', 'Outputs that strict chat templates accept.'],
  task: ['task', 'Current tasks that are kept word for word.'],
  canaryRules: ['planted rules', 'Rules in many languages that were planted early, kept word for word.'],
  canaryFacts: ['planted facts', 'Facts that were planted early, name and value still together.'],
  dollars: [
    'dollars',
    'A whole conversation before a prompt cache, at the prices of Claude Sonnet 4; calls for summaries included if the compactor reports them.',
    'dollars',
    'lower',
  ],
} as const;

/** Names of the measures. */
export type MeasureName = keyof typeof list;

/** A column of the result. */
export interface Measure {
  readonly title: string;
  /** One sentence on what it is. */
  readonly meaning: string;
  /** Measures that are counted; the value is the mean of their ratios. */
  readonly parts: readonly MeasureName[];
  /** `share`: 0 to 1. */
  readonly unit: 'share' | 'dollars';
  readonly better: 'higher' | 'lower';
}

export const evaluationMeasures: readonly MeasureName[] = Object.keys(list) as MeasureName[];

const partsOfContinuation: readonly MeasureName[] = [
  'files',
  'userLog',
  'verdicts',
  'conclusions',
  'todos',
  'commands',
];

export const measures: Readonly<Record<MeasureName, Measure>> = Object.fromEntries(
  evaluationMeasures.map((name): [MeasureName, Measure] => {
    const [title, meaning, unit = 'share', better = 'higher'] = list[name];
    const parts = name === 'continuation' ? partsOfContinuation : [name];
    return [name, { title, meaning, parts, unit, better }];
  }),
) as Record<MeasureName, Measure>;
