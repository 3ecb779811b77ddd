import { countOf, countPattern } from './count.ts';
import { type Mention, mentionsIn } from './mentions.ts';
import { outputName, sum } from './vocabulary.ts';

/** The sizes an error message states, in tokens unless named otherwise; `null` for those it leaves out. */
export interface Figures {
  /** The most that may be sent: the window, or the longest prompt. */
  readonly limit: number | null;
  readonly prompt: number | null;
  /** A lower bound of the prompt's size. */
  readonly promptAtLeast: number | null;
  readonly promptCharacters: number | null;
  /** The requested output. */
  readonly output: number | null;
  /** The most output the model writes. */
  readonly outputLimit: number | null;
  /** Prompt and output together. */
  readonly total: number | null;
}

type Role = 'limit' | 'prompt' | 'part' | 'output' | 'outputLimit' | 'total' | 'none' | 'unclear';

const maximumWords =
  /\b(?:max\w*|limits?|limited|at most|up to|no more than|not more than|less than|lower than|fewer than|smaller than|under|within|allow(?:ed|s)?|supports?|only|upper bound|capacity|range|(?:not|cannot) exceed)\b|[<≤]=?\s?$|max_\w+|上限|最大|最多|不能?超过|不得超过|限制|以内|小于|不大于|范围/;
const over =
  /\b(?:exceed\w*|longer than|larger than|greater than|bigger than|more than|above|over|beyond|surpass\w*)\b|[>≥]|超过|超出|大于/;
const window =
  /context[_ ]?(?:length|window|size|limit)|n_ctx|model length|max_model_len|max_seq_len|sequence length|上下文/;
const actual =
  /\b(?:requested?|resulted in|contain(?:s|ing)?|has|have|had|got|given|received|actual\w*|sent|passed|provided|supplied|submitted|current(?:ly)?|was|were|found|consists? of|estimated|used?|using|counted|measured|to keep|keep the first)\b|实际|当前|共|输入/;
const size =
  /(?:prompt|inputs?|messages?|request|context|conversation|tokens?|count|length|size|长度|token数)(?: (?:is|of|was|are|has|为))?$/;
const isTooMuch =
  /^(?:is |are |was |were |that |which |in total, |has |have )*(?:too (?:long|large|many|big)|exceed\w*|>|longer|larger|greater|more than|over\b|above|beyond|surpass|must be|must not|should be|has to be|cannot|can not|may not|超过|超出|大于)/;
/** "32768 tokens exceeded", "32768 was reached": without an object, the limit before it was exceeded. */
const isExceeded =
  /^(?:(?:context|limit|window|maximum|budget)\b ?)?(?:is |are |was |were |has been |have been |got |being )*(?:exceeded|reached|surpassed|overflowed|hit)\b(?! (?:the|a|an|its|your|our|this|that|my|model|max\w*|limit|context|window|allowed|available|\d|by \d))/;
const namesLimit = /\b(?:max\w*|limit|allowed|budget|capacity|quota)\b|context|window|n_ctx|max_\w+|model length/;
/** The words between a limit "exceeded" and the next number, which is what exceeded it. */
const exceededBy = /\b(?:exceeded|reached|surpassed)(?::| (?:by|with|in)\b)(?<what>[^.\n]*)$/;
const ofPrompt =
  /^(?:of |in |for |from )?(?:the |your )?(?:text |image |audio |video |file |tool |chat |system )?(?:inputs?|prompt|messages?|functions?|tools?|context(?! (?:length|window|size|limit)))\b/;
const ofOutput = new RegExp(
  String.raw`^(?:of |in |for |from )?(?:the |your )?(?:requested )?(?:completion|output|response|answer|generat\w+|${outputName})`,
);
const isLimit =
  /^(?:is )?(?:the )?(?:input |prompt |total )?(?:max\w*|limit\b|context[_ ](?:length|window|size|limit)|allowed|上限)/;
const nameOfOutput = new RegExp(`${outputName}(?: (?:is|are|value|of|parameter|was|set|to|too|large))*$`);
const limitOfOutput = new RegExp(
  String.raw`${outputName}[^.;]{0,60}(?:must|should|has to|have to|cannot|can not|may not|limit|less|at most|no more|exceed|range|supports?|[<>]|larger|greater|above|over|\bmaximum\b|必须|小于|不大于|不能|不得|最大|上限|限制|范围|超)|(?:max\w*|limit of|allowed) (?:allowed )?(?:number of )?(?:output|completion|new|generated) (?:tokens?|length)|最大输出|输出(?:长度|token)?[^,。]{0,12}(?:上限|最大|超)`,
);
const explainsOutput =
  /^,? ?(?:which is )?(?:the )?max\w* (?:allowed )?(?:number of )?(?:output|completion|tokens to generate)/;
const continuesComparison =
  /^[\s)]*(?:tokens? )?(?:is |are )?(?:not )?(?:>|exceed|less|too|greater|larger|above|more than|must|but the (?:max|supported|valid|range|limit))/;

/** `188240 + 21333 > 200000`, or with the sum: `188240 + 21333 = 209573 > 200000`. */
const arithmetic: RegExp = countPattern('<prompt> \\+ <output> (?:= # )?(?:>=?|exceeds?) <limit>');

/** `9012 > 8192`, `9012/8192 tokens`. */
const comparison: RegExp = countPattern('<prompt>(?: tokens)?(?: ?> ?<limit>| ?/ ?<tokens> ?tokens)');

/** Reads the sizes from the message that states the most of them. The words around a number show what it measures. */
export function figuresIn(messages: readonly string[]): Figures {
  const countStated = (figures: Figures): number => Object.values(figures).filter((value) => value !== null).length;
  return messages
    .map(figuresOf)
    .reduce((best, figures) => (countStated(figures) > countStated(best) ? figures : best), nothing);
}

function figuresOf(text: string): Figures {
  const written = arithmetic.exec(text)?.groups;
  if (written)
    return {
      ...nothing,
      limit: countOf(written.limit),
      prompt: countOf(written.prompt),
      output: countOf(written.output),
    };
  const compared = new RegExp(outputName).test(text) ? undefined : comparison.exec(text)?.groups;
  if (compared)
    return { ...nothing, limit: countOf(compared.limit ?? compared.tokens), prompt: countOf(compared.prompt) };
  const roles: { readonly mention: Mention; readonly role: Role; readonly weight: number }[] = [];
  for (const mention of mentionsIn(text)) {
    const previous = roles.at(-1);
    roles.push({ mention, ...roleOf(mention, previous) });
  }
  const tokens = roles.filter(({ mention }) => mention.unit === 'tokens');
  const of = (role: Role) => tokens.filter((one) => one.role === role);
  const heaviest = (role: Role): number | null =>
    of(role).reduce<(typeof tokens)[number] | null>(
      (best, one) => (best && best.weight >= one.weight ? best : one),
      null,
    )?.mention.value ?? null;
  const output = heaviest('output');
  const total = heaviest('total');
  let limit = heaviest('limit');
  let prompt = promptOf(of('part').map(({ mention }) => mention)) ?? heaviest('prompt');
  if (prompt === null && total !== null && output !== null && total > output) prompt = total - output;
  const unclear = of('unclear').map(({ mention }) => mention.value);
  // The refused prompt is longer than the limit.
  const prompts = of('prompt').map(({ mention }) => mention.value);
  if (limit === null && prompts.length === 2 && prompts[0] !== prompts[1])
    [limit, prompt] = prompts.sort((a, b) => a - b) as [number, number];
  if (limit === null && prompt === null && unclear.length === 2)
    [limit, prompt] = unclear.sort((a, b) => a - b) as [number, number];
  else if (limit === null && prompt !== null) limit = unclear.find((value) => value < prompt!) ?? null;
  else if (limit !== null && prompt === null) prompt = unclear.find((value) => value > limit!) ?? null;
  const bound = of('part').find(({ mention }) => /\bat least $/.test(mention.before))?.mention.value ?? null;
  return {
    limit,
    prompt: bound === null ? prompt : null,
    promptAtLeast: bound,
    promptCharacters: charactersOf(roles.map(({ mention }) => mention)),
    output,
    outputLimit: heaviest('outputLimit'),
    total,
  };
}

const nothing: Figures = {
  limit: null,
  prompt: null,
  promptAtLeast: null,
  promptCharacters: null,
  output: null,
  outputLimit: null,
  total: null,
};

function roleOf(
  { value, unit, before, after }: Mention,
  previous: { readonly role: Role; readonly mention: Mention } | undefined,
): { readonly role: Role; readonly weight: number } {
  const sentence = lastPiece(before, /[.!?;。;]\s?(?=\D)|\n/g);
  const clause = lastPiece(sentence, /[,:]\s?|\b(?:but|however|whereas|while|though|and)\b/g);
  const rest = after.replace(/^[)\]\s-]*(?:tokens?\b)?[)\]\s]*/, '').split(/[.,;:(]|\b(?:but|however)\b/, 1)[0]!;
  if (value === 0 || /\b(?:by|available[_ ]tokens?)$/.test(clause) || /^\s?draft tokens/.test(after))
    return { role: 'none', weight: 0 };
  if (unit === 'characters') return { role: 'none', weight: 0 };
  const limit =
    (maximumWords.test(clause) ? 3 : 0) +
    (over.test(clause) ? 2 : 0) +
    (window.test(clause) ? 2 : 0) +
    (isLimit.test(rest) ? 3 : 0);
  const isSum = sum.test(sentence);
  if (!isSum) {
    if (explainsOutput.test(after)) return { role: 'outputLimit', weight: 5 };
    if (ofOutput.test(rest)) return { role: maximumWords.test(clause) ? 'outputLimit' : 'output', weight: 5 };
    if (!window.test(clause) && limitOfOutput.test(sentence)) return { role: 'outputLimit', weight: 4 };
    if (nameOfOutput.test(clause)) return { role: 'output', weight: 4 };
    const inSum = previous && /[+]|\bplus\b|\band\b/.test(previous.mention.before);
    if (previous?.role === 'output' && !inSum && !window.test(clause) && continuesComparison.test(before))
      return { role: 'outputLimit', weight: 3 };
  }
  if (isExceeded.test(rest) && namesLimit.test(`${clause} ${rest.split(/exceed|reach|surpass|hit/, 1)[0]}`))
    return { role: 'limit', weight: 5 };
  const what = previous?.role === 'limit' ? exceededBy.exec(before)?.groups?.what : undefined;
  if (what !== undefined && !namesLimit.test(what)) return { role: 'prompt', weight: 3 };
  const tooMuch = isTooMuch.test(rest);
  if (isSum && tooMuch) return { role: 'total', weight: 5 };
  if (/\btotal\b/.test(clause) && !size.test(clause.replace(/total (?=length|size|tokens|number)/, '')) && limit < 3)
    return { role: 'total', weight: 2 };
  const isPart = ofPrompt.test(rest) && limit < 3;
  if (isPart) return { role: 'part', weight: 3 };
  const prompt = (tooMuch ? 5 : 0) + (actual.test(clause) ? 2 : 0) + (size.test(clause) ? 1 : 0);
  if (limit === 0 && prompt === 0) return { role: 'unclear', weight: 0 };
  return limit > prompt || (limit === prompt && limit >= 2)
    ? { role: 'limit', weight: limit }
    : { role: 'prompt', weight: prompt };
}

/** The text after the last separator, without filler such as "about" right before the number. */
function lastPiece(text: string, separators: RegExp): string {
  const trimmed = text
    .replace(/[\s(:=[,-]+$/, '')
    .replace(/ (?:about|approximately|around|roughly|at least|the|a)$/, '');
  return trimmed.split(separators).at(-1)!.trim();
}

/** Size of the prompt from its stated parts: different kinds (text, tools, images) add up, a repeated kind does not. */
function promptOf(parts: readonly Mention[]): number | null {
  if (parts.length === 0) return null;
  const kinds = new Map(
    parts.map(({ value, after }) => [
      /\b(?:text|image|audio|tool|file|functions?|video)\b/.exec(after.slice(0, 24))?.[0] ?? '',
      value,
    ]),
  );
  return kinds.size > 1 ? [...kinds.values()].reduce((all, value) => all + value, 0) : Math.max(...kinds.values());
}

function charactersOf(mentions: readonly Mention[]): number | null {
  const counts = mentions.filter(
    ({ unit, before }) => unit === 'characters' && !/(?:at most|more than|up to|max\w*) $/.test(before),
  );
  return counts.length > 0 ? Math.max(...counts.map(({ value }) => value)) : null;
}
