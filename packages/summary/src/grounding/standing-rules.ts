import { announcing, ruleWords } from './rule-words.ts';

/** A question asks for something; a rule states it. */
const question: RegExp = /[?\uff1f]\s*$/;
const unspaced: RegExp = /[\u3040-\u9fff\uac00-\ud7af]/;
const shortest = 8;
const longest = 400;
/** An aside behind a request is short. Characters. */
const longestAside = 160;

/** Lines that are said together. */
interface Block {
  readonly sentences: string[];
  /** True when what stands before them says that they are rules. */
  readonly announced: boolean;
  readonly isList: boolean;
}

/**
 * The sentences of a user's message that state a rule, verbatim, in order: by their words, because the list or the
 * paragraph they stand in is one of rules, or as an aside of one sentence that a message ends with. Long sentences,
 * questions, code and quoted material (fences, `>` lines) are left out.
 * @param standing true when all that is said in the message is meant to last
 */
export function standingRules(text: string, standing = false): string[] {
  const blocks = blocksOf(text);
  // Behind rules comes the request, and behind a request what is to be minded about it.
  const aside = blocks.length > 1 && !blocks.some(({ announced }) => announced) ? blocks.at(-1) : undefined;
  return blocks.flatMap((block) => {
    const { sentences, announced } = block;
    const statements = sentences.filter(isStatement);
    const rules = statements.filter((sentence) => ruleWords.test(sentence));
    const ofRules = statements.length > 2 && rules.length * 2 > sentences.length;
    const isAside = block === aside && sentences.length === 1 && sentences[0]!.length <= longestAside;
    return standing || announced || ofRules || isAside ? statements : rules;
  });
}

/** Paragraph by paragraph as lines are written, the items of a list together; without code and quotes. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let fence = false;
  let announced = false;
  let blank = true;
  let heading = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    else if (line.trim() === '') blank = !heading;
    else if (!fence && line.length <= 4_000 && !/^\s*(?:>|[|+-]{2,}|at |File ")/.test(line)) {
      const isList = listMark.test(line);
      if (!isList) announced &&= !blank;
      const last = blocks.at(-1);
      const together = isList && last?.isList && last.announced === announced;
      if (together) last.sentences.push(...sentencesOf(line));
      else blocks.push({ sentences: sentencesOf(line), announced: announced || announces(line), isList });
      heading = !isList && /^\s*#|[:\uff1a*]\s*$/.test(line);
      if (heading) announced = announcing.test(line);
      blank = false;
    }
  }
  return blocks;
}

/** True when the words before the first colon of a line announce rules. */
function announces(line: string): boolean {
  const colon = line.search(/[:\uff1a]/);
  return colon > 0 && colon <= 60 && announcing.test(line.slice(0, colon));
}

function isStatement(sentence: string): boolean {
  return (
    (sentence.length >= shortest || (sentence.length >= shortest / 2 && unspaced.test(sentence))) &&
    sentence.length <= longest &&
    !question.test(sentence) &&
    !/[:\uff1a]\**$/.test(sentence) &&
    !/[{};=<>]{2}|^\s*(?:\/\/|\/\*|#|import |def |class |function )/.test(sentence)
  );
}

const sentenceEnd: RegExp = /[.!?\u3002\uff01\uff1f]/;
const listMark: RegExp = /^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+/;

/**
 * A line cut into sentences behind a full stop, an exclamation or a question mark; list marks are taken off. What goes
 * on with a small letter goes on.
 */
export function sentencesOf(line: string): string[] {
  const bare = line.replace(listMark, '');
  return (sentenceEnd.test(bare) ? bare.split(/(?<=[.!?])\s+(?!\p{Ll})|(?<=[\u3002\uff01\uff1f])/u) : [bare])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
