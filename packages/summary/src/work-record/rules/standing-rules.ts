import { findPastedFences } from '@palimpsest/core/authoring';
import { isListItem, isQuestion, sentencesOf } from '../text/sentences.ts';
import { wordExpression } from '../text/word-expression.ts';
import { isDirective, isReport } from './directive.ts';
import { isGeneric, isStated } from './statement.ts';

/** A sentence of the user, verbatim, that is meant to apply for the rest of the session. */
export interface StandingRule {
  readonly text: string;
  /** True if the wording is clear; false if only the sentence's place or generality makes a rule likely. */
  readonly certain: boolean;
}

/** Matches scripts that do not separate words. Their sentences have fewer characters. */
const unspaced: RegExp = /[\u3040-\u9fff\uac00-\ud7af]/;
// All lengths in characters.
const minRuleLength = 8;
const maxRuleLength = 400;
const maxLineLength = 4_000;
/** Maximum length of a sentence after a request that counts as an aside. */
const maxAsideLength = 160;
const maxHeadingLength = 60;
/** Maximum characters to read at each end of a long message. The middle is usually pasted text. */
const maxEndLength = 20_000;

/** What a heading announces for the lines below it: rules, notes to keep in mind, or neither. */
type Announced = 'rules' | 'notes' | null;

/** A paragraph or a whole list. */
interface Block {
  readonly sentences: string[];
  readonly announced: Announced;
  readonly isList: boolean;
}

/** Matches a heading, or the words before a colon, that announce rules. */
const rulesHeading = wordExpression(
  String.raw`(?<!\p{L})(?:(?:ground |house )?rules?|guidelines?|constraints?|conventions?|preferences?|polic(?:y|ies)|regeln?|vorgaben?|r\u00e8gles?|consignes?|contraintes?|reglas?|normas?|restricciones|regras?|restri\u00e7\u00f5es|regole?|vincoli|regels?|zasady|regler|kurallar)(?!\p{L})|\u043f\u0440\u0430\u0432\u0438\u043b\u0430|\u89c4\u5219|\u898f\u5247|\u30eb\u30fc\u30eb|\uaddc\uce59|\u0642\u0648\u0627\u0639\u062f|\u0928\u093f\u092f\u092e`,
);
/** Matches a heading, or the words before a colon, that announce notes. */
const notesHeading = wordExpression(
  String.raw`(?<!\p{L})(?:requirements?|instructions?|remember|keep in mind|important|please note|before (?:we|you) (?:start|begin)|in general|(?:hold|holds|apply|applies|true) for|wichtig|vorab|bevor (?:wir|du)|avant de commencer|importante|antes de (?:empezar|come\u00e7ar)|prima di iniziare|belangrijk|wa\u017cne)(?!\p{L})|\u8981\u6c42|\u6ce8\u610f|\uc8fc\uc758|\u0432\u0430\u0436\u043d\u043e`,
);

/**
 * Finds the sentences of a user message that state a standing rule, verbatim and in order. Linear time.
 *
 * - Certain: directives, and sentences under a heading that announces rules.
 * - Likely: the other sentences of a paragraph of rules, general statements, and a one-sentence aside at the end.
 * - Skipped: long sentences, questions, code, logs and quotations.
 *
 * @param terms true if the whole message likely states terms for the session. @default false
 */
export function standingRules(text: string, terms = false): StandingRule[] {
  const blocks = blocksOf(withoutMiddle(withoutFences(text)));
  // An aside follows the request. If rules or notes are announced, they come first and the request last.
  const aside = blocks.length > 1 && !blocks.some(({ announced }) => announced) ? blocks.at(-1) : undefined;
  return blocks.flatMap((block) => {
    const { sentences, announced } = block;
    const statements = sentences.filter(isStatement);
    const directives = new Set(statements.filter(isDirective));
    const amongRules = statements.length > 2 && directives.size * 2 > sentences.length;
    const isAside = block === aside && sentences.length === 1 && sentences[0]!.length <= maxAsideLength;
    return statements.flatMap((sentence): StandingRule[] => {
      if (directives.has(sentence) || (announced === 'rules' && !isExplanation(sentence)))
        return [{ text: sentence, certain: true }];
      const inPlace = terms || announced !== null || amongRules || isAside;
      return (inPlace && isStated(sentence)) || isGeneric(sentence) ? [{ text: sentence, certain: false }] : [];
    });
  });
}

/** What is left of a code fence. It begins no paragraph and ends none. */
const fenceMark = '```';

function withoutFences(text: string): string {
  let from = 0;
  let rest = '';
  for (const fence of findPastedFences(text)) {
    rest += text.slice(from, fence.from) + fenceMark;
    from = fence.to;
  }
  return rest + text.slice(from);
}

/** Returns the text; for a long text, the whole lines at both ends as separate paragraphs. */
function withoutMiddle(text: string): string {
  if (text.length <= 2 * maxEndLength) return text;
  const head = text.slice(0, text.lastIndexOf('\n', maxEndLength) + 1);
  const from = text.indexOf('\n', text.length - maxEndLength);
  return from < 0 ? head : `${head}\n${text.slice(from + 1)}`;
}

/** Splits a text into paragraphs and lists. Skips code, program output and quotations. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let announced: Announced = null;
  let afterBlank = true;
  let afterHeading = false;
  let pasted = false;
  let quotedBy: string | null = null;
  for (const written of joinWrapped(text.split('\n'))) {
    const line = withoutOuterTags(written);
    const tag = quotingTag(written);
    if (tag !== null && (quotedBy === null || quotedBy === tag)) quotedBy = /^\s*<\//.test(written) ? null : tag;
    else if (line === fenceMark) continue;
    else if (line.trim() === '') {
      afterBlank = !afterHeading;
      pasted = false;
    } else if (quotedBy === null && line.length <= maxLineLength && !/^\s*>/.test(line)) {
      pasted ||= isProgramOutput(line);
      const isList = isListItem(line);
      if (pasted && !isList) continue;
      if (!isList && afterBlank) announced = null;
      const last = blocks.at(-1);
      const continues = isList && last?.isList && last.announced === announced;
      if (continues) for (const sentence of sentencesOf(line)) last.sentences.push(sentence);
      else blocks.push({ sentences: sentencesOf(line), announced: announced ?? readBeforeColon(line), isList });
      afterHeading = !isList && /^\s*#|[:\uff1a*]\s*$/.test(line);
      if (afterHeading) announced = line.trim().length <= maxHeadingLength ? readHeading(line) : null;
      afterBlank = false;
    }
  }
  return blocks;
}

function readBeforeColon(line: string): Announced {
  const colon = line.search(/[:\uff1a]/);
  return colon > 0 && colon <= maxHeadingLength ? readHeading(line.slice(0, colon)) : null;
}

function readHeading(heading: string): Announced {
  const words = heading.toLowerCase();
  return rulesHeading.test(words) ? 'rules' : notesHeading.test(words) ? 'notes' : null;
}

const explaining = wordExpression(
  String.raw`^(?:you|this|these|that|it|we|i|they|however|e\.g\.|for example)(?!\p{L})`,
);

/** True for a sentence among rules that explains their origin or purpose. */
function isExplanation(sentence: string): boolean {
  return explaining.test(sentence.toLowerCase()) || isReport(sentence);
}

/** Matches the end of words that lead to a list or are cut off: "each time you get results, you should". */
const unfinished: RegExp = /(?<![\p{L}\p{N}])(?:should|must|shall|will|would|may|the|a|an|and|or|following)\s*$/iu;

/** True for a whole sentence of the right length that is not a question, heading, code or program output. */
function isStatement(sentence: string): boolean {
  return (
    (sentence.length >= minRuleLength || (sentence.length >= minRuleLength / 2 && unspaced.test(sentence))) &&
    sentence.length <= maxRuleLength &&
    !isQuestion(sentence) &&
    !/[:\uff1a]\**$/.test(sentence) &&
    !unfinished.test(sentence) &&
    !/[{};=<>]{2}|^\s*(?:\/\/|\/\*|#|import |def |class |function )/.test(sentence) &&
    !isProgramOutput(sentence)
  );
}

/** Matches program output: logs, traces, errors, hints such as `(use "git add" to ...)`, listings, shell prompts, data. */
const programOutput: RegExp =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\d+\s?[:|]\s|[$%]\s|at \S+ ?[(:]|File "|Traceback\b|Caused by|fatal: |panic: |npm (?:err|warn)|[\w.]*(?:error|exception|warning|warn|err)!? ?(?:\[[^\]]*\])? ?: ?|[|+-]{2,}|["'][\w-]+["']\s*:|[\]}]|[{[]\s*(?:$|["{[\d])|\S+\.\w{1,5}:\d+|hint: |\(\w{1,20} "[^"\n]{1,80}"[^()\n]{0,200}\)(?:\s|$))/i;

/** Matches a line that is only a tag around quoted text. A self-closing tag encloses nothing. */
const quotingLine: RegExp =
  /^<\/?([\w-]{0,40}(?:description|issue|document|file|output|log|trace|error|diff|code|example|content|result|transcript|source|quote)s?)[^<>]{0,400}(?<!\/)>$/i;

/** Removes a tag at the start and a closing tag at the end of a line. */
function withoutOuterTags(line: string): string {
  return line.includes('<') ? line.replace(/^\s*<\/?[A-Za-z][\w-]{0,40}>|<\/[A-Za-z][\w-]{0,40}>\s*$/g, '') : line;
}

/** True for a line that a program wrote. */
function isProgramOutput(line: string): boolean {
  return programOutput.test(line);
}

/**
 * Returns the tag's name if a line is only a tag that opens or closes a quotation, such as `<log>`; otherwise `null`.
 */
function quotingTag(line: string): string | null {
  return quotingLine.exec(line.trim())?.[1]?.toLowerCase() ?? null;
}

/** Matches the beginning of a line that continues the one before: a lower-case letter, also after an indent. */
const continuation: RegExp = /^\s{0,12}\p{Ll}/u;
/** Matches a line that no other one continues: a heading, a fence, a quotation, a tag, or one with an end mark. */
const complete: RegExp = /^\s*(?:[#>|<]|```|~~~)|[.!?:;\u2026{}]["')\]*_`]*\s*$/;
/** Minimum length of a line that a wrap may have broken, in characters. */
const minWrapLength = 40;
/** A text of more characters gets no further line. */
const maxJoinedLength = 400;

/** Joins the lines that were wrapped within a sentence. */
function joinWrapped(written: readonly string[]): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const line of written) {
    const last = lines.at(-1) ?? '';
    if (length >= minWrapLength && last.length <= maxJoinedLength && continuation.test(line) && !complete.test(last))
      lines[lines.length - 1] = `${last.trimEnd()} ${line.trimStart()}`;
    else lines.push(line);
    length = line.length;
  }
  return lines;
}
