import { wordExpression } from '../text/word-expression.ts';
import { bareClause, isReport } from './directive.ts';

/** Matches a quantifier at the start: "all", "every", "only". */
const universal = wordExpression(
  String.raw`^(?:all|every|each|any|only|alle|jede[rs]?|nur|tous|toutes|chaque|cada|tod[oa]s|ogni|tutt[ie]|elke|все|кажд\p{L}+|wszystkie|każd\p{L}|tüm|her|كل|सभी|हर)(?!\p{L})|^(?:所有|每个|每一|凡|すべて|全て|全部|모든|각)`,
);
/** Matches words that describe behavior or failure, and HTTP error statuses. */
const behavior = wordExpression(
  String.raw`(?<!\p{L})(?:fail|finish|crash|error|broke|reject|slow|wrong|empty|missing|lost|pass|hang|time.?out|null|undefined|twice|work|return|seem|look|again|still|now|fehl|schl\u00e4gt|l\u00e4uft|laufen|geht|échou|march|fonctionn|fall|funcion|falh|fallisc|funzion|mislukt|werkt|пада|работа|dzia\u0142)\p{L}*|\b[45]\d\d\b|失败|报错|エラー|失敗|오류|실패`,
);

/** Matches conversation at the start: agreement, thanks, a proposal, a greeting. */
const conversation = wordExpression(
  String.raw`^(?:yes|no|yeah|okay?|sure|great|good|perfect|thanks?|sorry|hi|hello|let['’]s|now|then|next|first|change of|ja|nein|danke|gut|super|oui|non|merci|sí|gracias|sim|obrigad[oa]|grazie|да|спасибо)(?!\p{L})|^(?:好|是|谢谢|はい|いいえ|ありがとう|네|감사)`,
);

/** Matches a plural without an article and a statement about it: "migrations need a review". */
const pluralSubject = wordExpression(
  String.raw`^(?!(?:the|these|those|my|our|your|this|it|things?|users?)(?!\p{L}))(?:\p{L}+ )?\p{L}+(?<![su])s (?:need|use|go|live|belong|follow|start|end|have|are (?:\p{L}+(?:ed|en)|in))(?!\p{L})`,
);

/**
 * True for a complete sentence that is neither a report nor conversation. Its place may show that it is a standing
 * rule.
 */
export function isStated(sentence: string): boolean {
  return (
    /[.!\u3002\uff01\u0964]['"\u201d)]?$/.test(sentence) &&
    beginsUpper(sentence) &&
    !conversation.test(sentence.toLowerCase()) &&
    !isReport(sentence)
  );
}

/** True for a sentence about all things of a kind. It may be a rule or an observation. */
export function isGeneric(sentence: string): boolean {
  const words = sentence.toLowerCase();
  const bare = bareClause(words);
  return (universal.test(bare) || pluralSubject.test(bare)) && isStated(sentence) && !behavior.test(words);
}

const upperFirst = /^["'\u201c`(]?[\p{Lu}\p{Lo}\p{N}]/u;

/** True for a sentence that begins with a capital letter, a letter without case, or a number. */
function beginsUpper(sentence: string): boolean {
  // The exact test takes milliseconds to compile.
  return /^["'`(]?[A-Z\d]/.test(sentence) || (!/^["'`(]?[\x00-\x7f]/.test(sentence) && upperFirst.test(sentence));
}
