import { isListItem, isQuestion, sentencesOf } from '../source/sentences.ts';
import { isDirective, isReport } from './directive.ts';
import { isLogged, quotingTag, untagged } from './pasted.ts';
import { isGeneric, isStated } from './statement.ts';

/** A sentence of a user, word for word, that is meant to last. */
export interface StandingRule {
  readonly text: string;
  /** True when it says so; false when only where it stands, or that it speaks of all of a kind, makes it likely. */
  readonly sure: boolean;
}

const unspaced: RegExp = /[\u3040-\u9fff\uac00-\ud7af]/;
const shortest = 8;
const longest = 400;
/** An aside behind a request is short. Characters. */
const longestAside = 160;
const longestHeading = 60;
/** Of a long message, what is read at either end: there somebody speaks, and what lies between was pasted. Characters. */
const longestEnd = 20_000;

/** How what stands before some lines speaks of them: as rules, as something to mind, or not at all. */
type Announced = 'rules' | 'notes' | null;

/** Lines that are said together. */
interface Block {
  readonly sentences: string[];
  readonly announced: Announced;
  readonly isList: boolean;
}

/** A heading, a line before a list, or the words before a colon that say what follows. */
const ofRules: RegExp =
  /(?<!\p{L})(?:(?:ground |house )?rules?|guidelines?|constraints?|conventions?|preferences?|polic(?:y|ies)|regeln?|vorgaben?|r\u00e8gles?|consignes?|contraintes?|reglas?|normas?|restricciones|regras?|restri\u00e7\u00f5es|regole?|vincoli|regels?|zasady|regler|kurallar)(?!\p{L})|\u043f\u0440\u0430\u0432\u0438\u043b\u0430|\u89c4\u5219|\u898f\u5247|\u30eb\u30fc\u30eb|\uaddc\uce59|\u0642\u0648\u0627\u0639\u062f|\u0928\u093f\u092f\u092e/iu;
const ofNotes: RegExp =
  /(?<!\p{L})(?:requirements?|instructions?|remember|keep in mind|important|please note|before (?:we|you) (?:start|begin)|in general|(?:hold|holds|apply|applies|true) for|wichtig|vorab|bevor (?:wir|du)|avant de commencer|importante|antes de (?:empezar|come\u00e7ar)|prima di iniziare|belangrijk|wa\u017cne)(?!\p{L})|\u8981\u6c42|\u6ce8\u610f|\uc8fc\uc758|\u0432\u0430\u0436\u043d\u043e/iu;

/**
 * The sentences of a user's message that state a rule, verbatim, in order. Sure are those that are directives, and what
 * is announced as rules. Likely are the rest of a paragraph of rules, what is said of all of a kind, and an aside of one
 * sentence that a message ends with. Long sentences, questions, code, logs and quoted material are left out.
 * @param standing true when all that is said in the message is likely meant to last
 */
export function standingRules(text: string, standing = false): StandingRule[] {
  const blocks = blocksOf(endsOf(text));
  // Behind rules comes the request, and behind a request what is to be minded about it.
  const aside = blocks.length > 1 && !blocks.some(({ announced }) => announced) ? blocks.at(-1) : undefined;
  return blocks.flatMap((block) => {
    const { sentences, announced } = block;
    const statements = sentences.filter(isStatement);
    const orders = new Set(statements.filter(isDirective));
    const amongRules = statements.length > 2 && orders.size * 2 > sentences.length;
    const isAside = block === aside && sentences.length === 1 && sentences[0]!.length <= longestAside;
    return statements.flatMap((sentence): StandingRule[] => {
      if (orders.has(sentence) || (announced === 'rules' && !describes(sentence)))
        return [{ text: sentence, sure: true }];
      const told = standing || announced !== null || amongRules || isAside;
      return (told && isStated(sentence)) || isGeneric(sentence) ? [{ text: sentence, sure: false }] : [];
    });
  });
}

/** The text, or of a long one the whole lines at its ends, apart. */
function endsOf(text: string): string {
  if (text.length <= 2 * longestEnd) return text;
  const head = text.slice(0, text.lastIndexOf('\n', longestEnd) + 1);
  const from = text.indexOf('\n', text.length - longestEnd);
  return from < 0 ? head : `${head}\n${text.slice(from + 1)}`;
}

/** Paragraph by paragraph as lines are written, the items of a list together; without code, logs and quotes. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let fence = false;
  let announced: Announced = null;
  let blank = true;
  let heading = false;
  let pasted = false;
  let quoted: string | null = null;
  for (const written of text.split('\n')) {
    const line = untagged(written);
    const tag = quotingTag(written);
    if (tag !== null && (quoted === null || quoted === tag)) quoted = /^\s*<\//.test(written) ? null : tag;
    else if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    else if (line.trim() === '') {
      blank = !heading;
      pasted = false;
    } else if (!fence && quoted === null && line.length <= 4_000 && !/^\s*>/.test(line)) {
      pasted ||= isLogged(line);
      const isList = isListItem(line);
      if (pasted && !isList) continue;
      if (!isList && blank) announced = null;
      const last = blocks.at(-1);
      const together = isList && last?.isList && last.announced === announced;
      if (together) for (const sentence of sentencesOf(line)) last.sentences.push(sentence);
      else blocks.push({ sentences: sentencesOf(line), announced: announced ?? announces(line), isList });
      heading = !isList && /^\s*#|[:\uff1a*]\s*$/.test(line);
      if (heading) announced = line.trim().length <= longestHeading ? announcedBy(line) : null;
      blank = false;
    }
  }
  return blocks;
}

/** What the words before the first colon of a line announce. */
function announces(line: string): Announced {
  const colon = line.search(/[:\uff1a]/);
  return colon > 0 && colon <= longestHeading ? announcedBy(line.slice(0, colon)) : null;
}

function announcedBy(words: string): Announced {
  return ofRules.test(words) ? 'rules' : ofNotes.test(words) ? 'notes' : null;
}

/** True for what explains among rules how they came about or what they are for. */
function describes(sentence: string): boolean {
  return (
    /^(?:you|this|these|that|it|we|i|they|however|e\.g\.|for example)(?!\p{L})/iu.test(sentence) || isReport(sentence)
  );
}

function isStatement(sentence: string): boolean {
  return (
    (sentence.length >= shortest || (sentence.length >= shortest / 2 && unspaced.test(sentence))) &&
    sentence.length <= longest &&
    !isQuestion(sentence) &&
    !/[:\uff1a]\**$/.test(sentence) &&
    !/[{};=<>]{2}|^\s*(?:\/\/|\/\*|#|import |def |class |function )/.test(sentence) &&
    !isLogged(sentence)
  );
}
